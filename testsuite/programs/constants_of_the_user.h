#ifndef CONSTANTS_OF_THE_USER_H
#define CONSTANTS_OF_THE_USER_H
#define OF_HEADER 11 /* of a header of the user's */
#endif
