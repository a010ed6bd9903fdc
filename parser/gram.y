/* C11 with the DPC extensions (docs/language.md) to the tree of ir/nodes.def.  Actions build nodes and keep the scopes of
 * typedef names; they do nothing else.
 *
 * Typedef names: the scanner gives a NAME and then, when the parser asks, TYPE or VARIABLE (lexer_next).  Declaration
 * specifiers hold at most one typedef name, so that in `T T;` the second one is the declarator (after Jourdan and Pottier,
 * "A simple, possibly correct LR parser for C11", TOPLAS 2017).
 *
 * Locations are ranges of token indices: @$ is a node's first and last token. */
%define api.pure full
%define api.value.type union
%define api.token.prefix {T_}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%parse-param {parser *p}
%lex-param {parser *p}

%code requires {
#include "parser.h"

typedef struct parser parser;

typedef struct {
    token_index first, last;
} token_range;

#define YYLTYPE token_range
}

%code {
#include "build.h"

#define YYMAXDEPTH 2000000
#define YYLLOC_DEFAULT(current, rhs, n)                                                                    \
    ((current) = (n) ? (token_range){YYRHSLOC(rhs, 1).first, YYRHSLOC(rhs, n).last}                        \
                     : (token_range){YYRHSLOC(rhs, 0).last + 1, YYRHSLOC(rhs, 0).last})

static int yylex(YYSTYPE *value, YYLTYPE *where, parser *p);
static void yyerror(const YYLTYPE *where, parser *p, const char *message);
}

%initial-action { @$ = (token_range){0, NO_TOKEN}; }

%token <token_index> NAME "a name" TYPE "a type name" VARIABLE "a name "
%token <token_index> CONSTANT "a constant" STRING_LITERAL "a string"
%token STORAGE "a storage class" STATIC "'static'" QUALIFIER "a qualifier" ATOMIC "'_Atomic'"
%token ARITHMETIC_TYPE "an arithmetic type" UNIQUE_TYPE "a type" STRUCT "'struct'" ENUM "'enum'" TYPEOF "'typeof'"
%token ALIGNAS "'_Alignas'" SIZEOF "'sizeof'" GENERIC "'_Generic'" STATIC_ASSERT "'_Static_assert'" ASM "'asm'" PART "'__real__'"
%token IF "'if'" ELSE "'else'" SWITCH "'switch'" CASE "'case'" DEFAULT "'default'" WHILE "'while'" DO "'do'" FOR "'for'"
%token LOCAL_LABELS "'__label__'" FORALL "'forall'" GOTO "'goto'" CONTINUE "'continue'" BREAK "'break'" RETURN "'return'"
%token ELLIPSIS "'...'" ARROW "'->'" INCREMENT "'++'" SHIFT "'<<'" RELATION "'<'" EQUALITY "'=='" AND_AND "'&&'" OR_OR "'||'"
%token ASSIGN_OPERATOR "'+='"
%token PRAGMA_DPC "a directive" PRAGMA_END "the end of the directive" UNKNOWN_DIRECTIVE "an unknown directive"
%token PROCESSORS "'processors'" DISTRIBUTE "'distribute'" REDISTRIBUTE "'redistribute'" TEMPLATE "'template'" ALIGN "'align'"
%token REALIGN "'realign'" INHERIT "'inherit'" EXTRINSIC "'extrinsic'" INDEPENDENT "'independent'" ONTO "'onto'" WITH "'with'"
%token END 0 "the end of the file"

%precedence THEN
%precedence ELSE

%type <token_index> variable typedef_name any_name block_open
%type <node *> external external_list function_definition function_head kr_list
%type <node *> declaration declaration_open prototype_directives initializer_opt
%type <node *> declaration_specifiers specifiers_unique specifiers_many specifiers_other
%type <node *> specifier_other specifier_many specifier_unique struct_specifier enum_specifier enumerator_list enumerator
%type <node *> member_list member_declaration member_open member
%type <node *> declarator direct_declarator variable_declarator direct_variable_declarator
%type <node *> abstract_declarator direct_abstract array_suffix parameter_suffix function_suffix
%type <node *> parameters parameter_list parameter identifier_list type_name
%type <node *> initializer initializer_list initializer_item
%type <node *> static_assert compound item_list block_item substatement statement labelled after_label last_label
%type <node *> expression_opt forall_head forall_indices forall_index
%type <node *> primary string generic association_list association postfix argument_list argument subscript
%type <node *> unary cast multiplicative additive shift relational equality bit_and bit_xor bit_or logical_and logical_or
%type <node *> conditional assignment expression conditional_opt
%type <node *> directive directive_body independent clause_list clause expression_list mapped entity_list entity
%type <node *> onto coordinates coordinate format_list formats format name_list declarator_list align_reference align_subscript

%start unit

%%

unit: external_list { p->unit = $1; };

external_list:
    %empty                       { $$ = make(p, N_UNIT, @$, 0); }
  | external_list external       { $$ = append(p, $1, $2); };

external:
    function_definition
  | declaration
  | directive
  | independent
  | static_assert
  | ';'                          { $$ = make(p, N_EMPTY, @$, 0); }
  | ASM ';'                      { $$ = make(p, N_ASM, @$, 0); }
  | error ';'                    { $$ = NULL; lexer_pop_to(p->lexer, 1); yyerrok; }
  | error '}'                    { $$ = NULL; lexer_pop_to(p->lexer, 1); yyerrok; };

function_definition:
    function_head compound          { $$ = define_function(p, @$, $1, $2, NULL); }
  | function_head kr_list compound  { $$ = define_function(p, @$, $1, $3, $2); };

function_head: declaration_specifiers declarator { $$ = open_function(p, @$, $1, $2); };

kr_list:
    declaration                  { $$ = make(p, N_UNIT, @$, 1, $1); }
  | kr_list declaration          { $$ = append(p, $1, $2); };

/* --- names */

variable: NAME VARIABLE          { $$ = $1; };
typedef_name: NAME TYPE          { $$ = $1; };
any_name: variable | typedef_name;

/* --- declarations */

declaration:
    declaration_specifiers ';'   { $$ = make(p, N_DECLARATION, @$, 1, $1); }
  | declaration_open ';'         { $$ = widen($1, @$); }
  | declaration_open prototype_directives ';'  { $$ = widen(adopt(p, $1, $2), @$); };

/* They name parameters of the function that is declared. */
prototype_directives:
    directive                        { $$ = make(p, N_UNIT, @$, 1, $1); }
  | prototype_directives directive   { $$ = append(p, $1, $2); };

declaration_open:
    declaration_specifiers declarator asm_opt     { declare(p, $1, $2); } initializer_opt
      { $$ = make(p, N_DECLARATION, @$, 2, $1, initialized(p, $2, $5, @3.last)); }
  | declaration_open ',' declarator asm_opt       { declare(p, $1->child[0], $3); } initializer_opt
      { $$ = append(p, widen($1, @$), initialized(p, $3, $6, @4.last)); };

asm_opt: %empty | ASM;

initializer_opt:
    %empty                       { $$ = NULL; }
  | '=' initializer              { $$ = $2; };

declaration_specifiers: specifiers_unique | specifiers_many;

specifiers_unique:
    specifier_unique                      { $$ = make(p, N_SPECIFIERS, @$, 1, $1); }
  | specifiers_other specifier_unique     { $$ = append(p, widen($1, @$), $2); }
  | specifiers_unique specifier_other     { $$ = append(p, widen($1, @$), $2); };

specifiers_many:
    specifier_many                        { $$ = make(p, N_SPECIFIERS, @$, 1, $1); }
  | specifiers_other specifier_many       { $$ = append(p, widen($1, @$), $2); }
  | specifiers_many specifier_many        { $$ = append(p, widen($1, @$), $2); }
  | specifiers_many specifier_other       { $$ = append(p, widen($1, @$), $2); };

specifiers_other:
    specifier_other                       { $$ = make(p, N_SPECIFIERS, @$, 1, $1); }
  | specifiers_other specifier_other      { $$ = append(p, widen($1, @$), $2); };

specifier_other:
    STORAGE                      { $$ = make_keyword(p, @$); }
  | STATIC                       { $$ = make_keyword(p, @$); }
  | QUALIFIER                    { $$ = make_keyword(p, @$); }
  | ATOMIC                       { $$ = make_keyword(p, @$); }
  | ALIGNAS '(' type_name ')'    { $$ = make(p, N_ALIGNAS, @$, 1, $3); }
  | ALIGNAS '(' conditional ')'  { $$ = make(p, N_ALIGNAS, @$, 1, $3); };

specifier_many: ARITHMETIC_TYPE  { $$ = make_keyword(p, @$); };

specifier_unique:
    UNIQUE_TYPE                  { $$ = make_keyword(p, @$); }
  | typedef_name                 { $$ = make_named(p, N_TYPEDEF_REFERENCE, @$, $1); }
  | struct_specifier
  | enum_specifier
  | TYPEOF '(' expression ')'    { $$ = make(p, N_TYPEOF, @$, 1, $3); }
  | TYPEOF '(' type_name ')'     { $$ = make(p, N_TYPEOF, @$, 1, $3); }
  | ATOMIC '(' type_name ')'     { $$ = make(p, N_TYPEOF, @$, 1, $3); };

struct_specifier:
    STRUCT any_name                       { $$ = with_op(p, make_named(p, N_STRUCT, @$, $2), @1.first); }
  | STRUCT '{' member_list '}'            { $$ = with_op(p, with_body(widen($3, @$)), @1.first); }
  | STRUCT any_name '{' member_list '}'   { $$ = with_op(p, with_name(p, with_body(widen($4, @$)), $2), @1.first); };

member_list:
    %empty                       { $$ = make(p, N_STRUCT, @$, 0); }
  | member_list member_declaration { $$ = append(p, $1, $2); };

member_declaration:
    declaration_specifiers ';'   { $$ = make(p, N_DECLARATION, @$, 1, $1); }
  | member_open ';'              { $$ = widen($1, @$); }
  | static_assert
  | ';'                          { $$ = make(p, N_EMPTY, @$, 0); }
  | error ';'                    { $$ = NULL; yyerrok; };

member_open:
    declaration_specifiers member   { $$ = make(p, N_DECLARATION, @$, 2, $1, $2); }
  | member_open ',' member          { $$ = append(p, widen($1, @$), $3); };

member:
    declarator                   { $$ = make(p, N_INIT_DECLARATOR, @$, 2, $1, NULL); }
  | declarator ':' conditional   { $$ = make(p, N_BIT_FIELD, @$, 2, $1, $3); }
  | ':' conditional              { $$ = make(p, N_BIT_FIELD, @$, 2, NULL, $2); };

enum_specifier:
    ENUM any_name                                      { $$ = make_named(p, N_ENUM, @$, $2); }
  | ENUM '{' enumerator_list comma_opt '}'             { $$ = with_body(widen($3, @$)); }
  | ENUM any_name '{' enumerator_list comma_opt '}'    { $$ = with_name(p, with_body(widen($4, @$)), $2); };

enumerator_list:
    enumerator                       { $$ = make(p, N_ENUM, @$, 1, $1); }
  | enumerator_list ',' enumerator   { $$ = append(p, $1, $3); };

enumerator:
    any_name                     { $$ = declare_enumerator(p, make(p, N_ENUMERATOR, @$, 1, NULL), $1); }
  | any_name '=' conditional     { $$ = declare_enumerator(p, make(p, N_ENUMERATOR, @$, 1, $3), $1); };

comma_opt: %empty | ',';

static_assert:
    STATIC_ASSERT '(' conditional ')' ';'              { $$ = make(p, N_STATIC_ASSERT, @$, 1, $3); }
  | STATIC_ASSERT '(' conditional ',' string ')' ';'   { $$ = make(p, N_STATIC_ASSERT, @$, 1, $3); };

/* --- declarators: variable_declarator, in parentheses, doesn't begin with a typedef name, which would be a parameter's type
 * there (C11 6.7.6.3 paragraph 11) */

declarator:
    '*' qualifiers declarator    { $$ = make(p, N_POINTER, @$, 1, $3); }
  | direct_declarator;

direct_declarator:
    any_name                             { $$ = make_named(p, N_DECL_NAME, @$, $1); }
  | '(' variable_declarator ')'          { $$ = make(p, N_DECL_PAREN, @$, 1, $2); }
  | direct_declarator array_suffix       { $$ = suffixed($1, $2, @$); }
  | direct_declarator function_suffix    { $$ = suffixed($1, $2, @$); };

variable_declarator:
    '*' qualifiers declarator    { $$ = make(p, N_POINTER, @$, 1, $3); }
  | direct_variable_declarator;

direct_variable_declarator:
    variable                                      { $$ = make_named(p, N_DECL_NAME, @$, $1); }
  | '(' variable_declarator ')'                   { $$ = make(p, N_DECL_PAREN, @$, 1, $2); }
  | direct_variable_declarator array_suffix       { $$ = suffixed($1, $2, @$); }
  | direct_variable_declarator function_suffix    { $$ = suffixed($1, $2, @$); };

abstract_declarator:
    '*' qualifiers                        { $$ = make(p, N_POINTER, @$, 1, NULL); }
  | '*' qualifiers abstract_declarator    { $$ = make(p, N_POINTER, @$, 1, $3); }
  | direct_abstract;

direct_abstract:
    '(' abstract_declarator ')'           { $$ = make(p, N_DECL_PAREN, @$, 1, $2); }
  | array_suffix
  | parameter_suffix
  | direct_abstract array_suffix          { $$ = suffixed($1, $2, @$); }
  | direct_abstract parameter_suffix      { $$ = suffixed($1, $2, @$); };

qualifiers: %empty | qualifiers QUALIFIER | qualifiers ATOMIC;

array_suffix:
    '[' ']'                               { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, NULL); }
  | '[' array_qualifiers ']'              { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, NULL); }
  | '[' '*' ']'                           { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, make(p, N_STAR, @2, 0)); }
  | '[' array_qualifiers '*' ']'          { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, make(p, N_STAR, @3, 0)); }
  | '[' assignment ']'                    { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, $2); }
  | '[' array_qualifiers assignment ']'   { $$ = make(p, N_ARRAY, @$, 3, NULL, NULL, $3); }
  | '[' conditional ':' conditional ']'   { $$ = make(p, N_ARRAY, @$, 3, NULL, $2, $4); };

array_qualifiers: array_qualifier | array_qualifiers array_qualifier;
array_qualifier: STATIC | QUALIFIER | ATOMIC;

parameter_suffix:
    '(' ')'                      { $$ = make(p, N_FUNCTION, @$, 1, NULL); }
  | '(' parameters ')'           { $$ = widen($2, @$); lexer_pop_scope(p->lexer); }
  | '(' error ')'                { $$ = make(p, N_FUNCTION, @$, 1, NULL); };

function_suffix:
    parameter_suffix
  | '(' identifier_list ')'      { $$ = widen($2, @$); };

parameters:
    parameter_list
  | parameter_list ',' ELLIPSIS  { $$ = append(p, $1, make(p, N_ELLIPSIS, @3, 0)); };

parameter_list:
    parameter                       { lexer_push_scope(p->lexer);
                                      $$ = declare_parameter(p, make(p, N_FUNCTION, @$, 2, NULL, $1), $1); }
  | parameter_list ',' parameter    { $$ = declare_parameter(p, append(p, $1, $3), $3); };

parameter:
    declaration_specifiers                        { $$ = make(p, N_PARAMETER, @$, 2, $1, NULL); }
  | declaration_specifiers declarator             { $$ = make(p, N_PARAMETER, @$, 2, $1, $2); }
  | declaration_specifiers abstract_declarator    { $$ = make(p, N_PARAMETER, @$, 2, $1, $2); };

identifier_list:
    variable                        { $$ = make(p, N_FUNCTION, @$, 2, NULL, make_named(p, N_NAME, @1, $1)); }
  | identifier_list ',' variable    { $$ = append(p, $1, make_named(p, N_NAME, @3, $3)); };

type_name:
    declaration_specifiers                        { $$ = make(p, N_TYPE_NAME, @$, 2, $1, NULL); }
  | declaration_specifiers abstract_declarator    { $$ = make(p, N_TYPE_NAME, @$, 2, $1, $2); };

/* --- initializers */

initializer:
    assignment
  | '{' '}'                                { $$ = make(p, N_INITIALIZER_LIST, @$, 0); }
  | '{' initializer_list comma_opt '}'     { $$ = widen($2, @$); };

initializer_list:
    initializer_item                       { $$ = make(p, N_INITIALIZER_LIST, @$, 1, $1); }
  | initializer_list ',' initializer_item  { $$ = append(p, $1, $3); };

/* The last two are older than C99 (GNU). */
initializer_item:
    initializer
  | designators '=' initializer            { $$ = make(p, N_DESIGNATED, @$, 1, $3); }
  | designators initializer                { $$ = make(p, N_DESIGNATED, @$, 1, $2); }
  | variable ':' initializer               { $$ = make(p, N_DESIGNATED, @$, 1, $3); }
  | typedef_name ':' initializer           { $$ = make(p, N_DESIGNATED, @$, 1, $3); };

designators: designator | designators designator;

designator:
    '[' conditional ']'
  | '[' conditional ELLIPSIS conditional ']'
  | '.' any_name;

/* --- statements */

compound:
    '{' block_open item_list '}'           { $$ = widen($3, @$); lexer_pop_to(p->lexer, $2); }
  | '{' block_open item_list last_label '}'
      { $$ = widen(append(p, $3, $4), @$); lexer_pop_to(p->lexer, $2); }
  | '{' block_open item_list error '}'     { $$ = widen($3, @$); lexer_pop_to(p->lexer, $2); yyerrok; };

block_open: %empty                         { $$ = lexer_depth(p->lexer); lexer_push_scope(p->lexer); };

item_list:
    %empty                                 { $$ = make(p, N_COMPOUND, @$, 0); }
  | item_list block_item                   { $$ = append(p, $1, $2); };

block_item:
    declaration
  | labelled
  | function_definition
  | LOCAL_LABELS name_list ';'             { $$ = make(p, N_EMPTY, @$, 0); }
  | static_assert
  | statement
  | directive
  | independent
  | error ';'                              { $$ = NULL; yyerrok; };

/* Labels before a declaration, and at the end of a block (C23, and GNU C before). */
labelled:
    variable ':' after_label               { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | typedef_name ':' after_label           { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | CASE conditional ':' after_label       { $$ = make(p, N_CASE, @$, 2, $2, $4); }
  | CASE conditional ELLIPSIS conditional ':' after_label { $$ = make(p, N_CASE, @$, 3, $2, $6, $4); }
  | DEFAULT ':' after_label                { $$ = make(p, N_DEFAULT, @$, 1, $3); };

after_label: declaration | labelled;

last_label:
    variable ':'                           { $$ = with_name(p, make(p, N_LABEL, @$, 1, NULL), $1); }
  | typedef_name ':'                       { $$ = with_name(p, make(p, N_LABEL, @$, 1, NULL), $1); }
  | CASE conditional ':'                   { $$ = make(p, N_CASE, @$, 2, $2, NULL); }
  | CASE conditional ELLIPSIS conditional ':'  { $$ = make(p, N_CASE, @$, 3, $2, NULL, $4); }
  | DEFAULT ':'                            { $$ = make(p, N_DEFAULT, @$, 1, NULL); }
  | variable ':' last_label                { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | typedef_name ':' last_label            { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | CASE conditional ':' last_label        { $$ = make(p, N_CASE, @$, 2, $2, $4); }
  | CASE conditional ELLIPSIS conditional ':' last_label  { $$ = make(p, N_CASE, @$, 3, $2, $6, $4); }
  | DEFAULT ':' last_label                 { $$ = make(p, N_DEFAULT, @$, 1, $3); };

/* A statement in another one.  Directives before it belong to it. */
substatement:
    statement
  | directive
  | independent substatement               { $$ = make(p, N_COMPOUND, @$, 2, $1, $2); };

statement:
    compound
  | variable ':' substatement              { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | typedef_name ':' substatement          { $$ = with_name(p, make(p, N_LABEL, @$, 1, $3), $1); }
  | CASE conditional ':' substatement      { $$ = make(p, N_CASE, @$, 2, $2, $4); }
  | CASE conditional ELLIPSIS conditional ':' substatement { $$ = make(p, N_CASE, @$, 3, $2, $6, $4); }
  | DEFAULT ':' substatement               { $$ = make(p, N_DEFAULT, @$, 1, $3); }
  | ';'                                    { $$ = make(p, N_EMPTY, @$, 0); }
  | expression ';'                         { $$ = make(p, N_EXPRESSION, @$, 1, $1); }
  | IF '(' expression ')' substatement %prec THEN             { $$ = make(p, N_IF, @$, 3, $3, $5, NULL); }
  | IF '(' expression ')' substatement ELSE substatement      { $$ = make(p, N_IF, @$, 3, $3, $5, $7); }
  | IF '(' error ')' substatement %prec THEN                  { $$ = make(p, N_EMPTY, @$, 0); }
  | IF '(' error ')' substatement ELSE substatement           { $$ = make(p, N_EMPTY, @$, 0); }
  | SWITCH '(' expression ')' substatement { $$ = make(p, N_SWITCH, @$, 2, $3, $5); }
  | SWITCH '(' error ')' substatement      { $$ = make(p, N_EMPTY, @$, 0); }
  | WHILE '(' expression ')' substatement  { $$ = make(p, N_WHILE, @$, 2, $3, $5); }
  | WHILE '(' error ')' substatement       { $$ = make(p, N_EMPTY, @$, 0); }
  | DO substatement WHILE '(' expression ')' ';'              { $$ = make(p, N_DO, @$, 2, $2, $5); }
  | FOR block_open '(' expression_opt ';' expression_opt ';' expression_opt ')' substatement
      { $$ = make(p, N_FOR, @$, 4, $4, $6, $8, $10); lexer_pop_to(p->lexer, $2); }
  | FOR block_open '(' declaration expression_opt ';' expression_opt ')' substatement
      { $$ = make(p, N_FOR, @$, 4, $4, $5, $7, $9); lexer_pop_to(p->lexer, $2); }
  | FOR block_open '(' error ')' substatement
      { $$ = make(p, N_EMPTY, @$, 0); lexer_pop_to(p->lexer, $2); }
  | FORALL block_open '(' forall_head ')' substatement
      { $$ = widen($4, @$); $$->child[1] = $6; lexer_pop_to(p->lexer, $2); }
  | FORALL block_open '(' error ')' substatement
      { $$ = make(p, N_EMPTY, @$, 0); lexer_pop_to(p->lexer, $2); }
  | GOTO any_name ';'                      { $$ = with_name(p, make(p, N_GOTO, @$, 1, NULL), $2); }
  | GOTO '*' cast ';'                      { $$ = make(p, N_GOTO, @$, 1, $3); }
  | CONTINUE ';'                           { $$ = make(p, N_CONTINUE, @$, 0); }
  | BREAK ';'                              { $$ = make(p, N_BREAK, @$, 0); }
  | RETURN expression_opt ';'              { $$ = make(p, N_RETURN, @$, 1, $2); }
  | ASM ';'                                { $$ = make(p, N_ASM, @$, 0); };

expression_opt:
    %empty                                 { $$ = NULL; }
  | expression;

forall_head:
    forall_indices
  | forall_indices ',' conditional         { $$ = $1; $$->child[0] = $3; };

forall_indices:
    forall_index                           { $$ = make(p, N_FORALL, @$, 3, NULL, NULL, $1); }
  | forall_indices ',' forall_index        { $$ = append(p, $1, $3); };

forall_index:
    any_name '=' conditional ':' conditional
      { $$ = declare_index(p, make(p, N_FORALL_INDEX, @$, 3, $3, $5, NULL), $1); }
  | any_name '=' conditional ':' conditional ':' conditional
      { $$ = declare_index(p, make(p, N_FORALL_INDEX, @$, 3, $3, $5, $7), $1); };

/* --- expressions */

primary:
    variable                               { $$ = make_named(p, N_NAME, @$, $1); }
  | CONSTANT                               { $$ = make(p, N_CONSTANT, @$, 0); }
  | string
  | '(' expression ')'                     { $$ = make(p, N_PAREN, @$, 1, $2); }
  | '(' compound ')'                       { $$ = make(p, N_STATEMENT_EXPRESSION, @$, 1, $2); }
  | generic;

/* Names between strings are macros of system headers: "%" PRId64 "\n". */
string:
    STRING_LITERAL                         { $$ = make(p, N_STRING, @$, 0); }
  | variable STRING_LITERAL                { $$ = make(p, N_STRING, @$, 0); }
  | string STRING_LITERAL                  { $$ = widen($1, @$); }
  | string variable                        { $$ = widen($1, @$); };

generic: GENERIC '(' assignment ',' association_list ')'
      { $$ = adopt(p, make(p, N_GENERIC, @$, 1, $3), $5); };

association_list:
    association                            { $$ = make(p, N_UNIT, @$, 1, $1); }
  | association_list ',' association       { $$ = append(p, $1, $3); };

association:
    type_name ':' assignment               { $$ = make(p, N_ASSOCIATION, @$, 2, $1, $3); }
  | DEFAULT ':' assignment                 { $$ = make(p, N_ASSOCIATION, @$, 2, NULL, $3); };

postfix:
    primary
  | postfix '[' subscript ']'              { $$ = make(p, N_INDEX, @$, 2, $1, $3); }
  | postfix '(' ')'                        { $$ = make(p, N_CALL, @$, 1, $1); }
  | postfix '(' argument_list ')'          { $$ = adopt(p, make(p, N_CALL, @$, 1, $1), $3); }
  | postfix '.' any_name                   { $$ = with_op(p, with_name(p, make(p, N_MEMBER, @$, 1, $1), $3), @2.first); }
  | postfix ARROW any_name                 { $$ = with_op(p, with_name(p, make(p, N_MEMBER, @$, 1, $1), $3), @2.first); }
  | postfix INCREMENT                      { $$ = with_op(p, make(p, N_POSTFIX, @$, 1, $1), @2.first); }
  | '(' type_name ')' '{' '}'
      { $$ = make(p, N_COMPOUND_LITERAL, @$, 2, $2, make(p, N_INITIALIZER_LIST, ((token_range){@4.first, @5.last}), 0)); }
  | '(' type_name ')' '{' initializer_list comma_opt '}'
      { $$ = make(p, N_COMPOUND_LITERAL, @$, 2, $2, widen($5, ((token_range){@4.first, @7.last}))); };

argument_list:
    argument                               { $$ = make(p, N_UNIT, @$, 1, $1); }
  | argument_list ',' argument             { $$ = append(p, $1, $3); };

argument:
    assignment
  | type_name
  | assignment ':' conditional             { $$ = make_range(p, @$, $1, $3, NULL); }
  | assignment ':' conditional ':' conditional { $$ = make_range(p, @$, $1, $3, $5); };

subscript:
    expression
  | conditional_opt ':' conditional_opt    { $$ = make(p, N_TRIPLET, @$, 3, $1, $3, NULL); }
  | conditional_opt ':' conditional_opt ':' conditional_opt { $$ = make(p, N_TRIPLET, @$, 3, $1, $3, $5); };

conditional_opt:
    %empty                                 { $$ = NULL; }
  | conditional;

unary:
    postfix
  | INCREMENT unary                        { $$ = with_op(p, make(p, N_UNARY, @$, 1, $2), @1.first); }
  | unary_operator cast                    { $$ = with_op(p, make(p, N_UNARY, @$, 1, $2), @1.first); }
  | AND_AND any_name
      { $$ = with_op(p, make(p, N_UNARY, @$, 1, make_named(p, N_NAME, @2, $2)), @1.first); }
  | SIZEOF unary                           { $$ = with_op(p, make(p, N_SIZEOF, @$, 1, $2), @1.first); }
  | SIZEOF '(' type_name ')'               { $$ = with_op(p, make(p, N_SIZEOF, @$, 1, $3), @1.first); };

unary_operator: '&' | '*' | '+' | '-' | '~' | '!' | PART;

cast:
    unary
  | '(' type_name ')' cast                 { $$ = make(p, N_CAST, @$, 2, $2, $4); };

multiplicative:
    cast
  | multiplicative '*' cast                { $$ = make_binary(p, @$, $1, $3, @2.first); }
  | multiplicative '/' cast                { $$ = make_binary(p, @$, $1, $3, @2.first); }
  | multiplicative '%' cast                { $$ = make_binary(p, @$, $1, $3, @2.first); };

additive:
    multiplicative
  | additive '+' multiplicative            { $$ = make_binary(p, @$, $1, $3, @2.first); }
  | additive '-' multiplicative            { $$ = make_binary(p, @$, $1, $3, @2.first); };

shift:
    additive
  | shift SHIFT additive                   { $$ = make_binary(p, @$, $1, $3, @2.first); };

relational:
    shift
  | relational RELATION shift              { $$ = make_binary(p, @$, $1, $3, @2.first); };

equality:
    relational
  | equality EQUALITY relational           { $$ = make_binary(p, @$, $1, $3, @2.first); };

bit_and:
    equality
  | bit_and '&' equality                   { $$ = make_binary(p, @$, $1, $3, @2.first); };

bit_xor:
    bit_and
  | bit_xor '^' bit_and                    { $$ = make_binary(p, @$, $1, $3, @2.first); };

bit_or:
    bit_xor
  | bit_or '|' bit_xor                     { $$ = make_binary(p, @$, $1, $3, @2.first); };

logical_and:
    bit_or
  | logical_and AND_AND bit_or             { $$ = make_binary(p, @$, $1, $3, @2.first); };

logical_or:
    logical_and
  | logical_or OR_OR logical_and           { $$ = make_binary(p, @$, $1, $3, @2.first); };

conditional:
    logical_or
  | logical_or '?' expression ':' conditional  { $$ = make(p, N_CONDITIONAL, @$, 3, $1, $3, $5); }
  | logical_or '?' ':' conditional             { $$ = make(p, N_CONDITIONAL, @$, 3, $1, NULL, $4); };

assignment:
    conditional
  | unary '=' assignment                   { $$ = with_op(p, make(p, N_ASSIGN, @$, 2, $1, $3), @2.first); }
  | unary ASSIGN_OPERATOR assignment       { $$ = with_op(p, make(p, N_ASSIGN, @$, 2, $1, $3), @2.first); };

expression:
    assignment
  | expression ',' assignment              { $$ = make(p, N_COMMA, @$, 2, $1, $3); };

/* --- directives */

directive:
    PRAGMA_DPC directive_body PRAGMA_END       { $$ = widen($2, @$); }
  | PRAGMA_DPC UNKNOWN_DIRECTIVE PRAGMA_END    { $$ = make(p, N_EMPTY, @$, 0); }
  | PRAGMA_DPC error PRAGMA_END                { $$ = make(p, N_EMPTY, @$, 0); yyerrok; };

directive_body:
    PROCESSORS entity_list                     { $$ = adopt(p, make(p, N_PROCESSORS, @$, 0), $2); }
  | DISTRIBUTE mapped                          { $$ = $2; $$->kind = N_DISTRIBUTE; }
  | REDISTRIBUTE mapped                        { $$ = $2; $$->kind = N_REDISTRIBUTE; }
  | TEMPLATE declarator_list                   { $$ = adopt(p, make(p, N_TEMPLATE, @$, 0), $2); }
  | ALIGN align_reference WITH align_reference    { $$ = make(p, N_ALIGN, @$, 2, $2, $4); }
  | REALIGN align_reference WITH align_reference  { $$ = make(p, N_REALIGN, @$, 2, $2, $4); }
  | INHERIT name_list                          { $$ = inherit(p, @$, $2); }
  | EXTRINSIC                                  { $$ = make(p, N_EXTRINSIC, @$, 0); };

mapped:
    entity_list
      { $$ = adopt(p, make(p, N_DISTRIBUTE, @$, 2, NULL, NULL), $1); }
  | entity_list ONTO onto
      { $$ = adopt(p, make(p, N_DISTRIBUTE, @$, 2, NULL, $3), $1); }
  | format_list ':' ':' name_list
      { $$ = adopt(p, make(p, N_DISTRIBUTE, @$, 2, $1, NULL), $4); }
  | format_list ONTO onto ':' ':' name_list
      { $$ = adopt(p, make(p, N_DISTRIBUTE, @$, 2, $1, $3), $6); };

onto:
    any_name                                   { $$ = make_named(p, N_NAME, @$, $1); }
  | any_name '(' coordinates ')'               { $$ = adopt(p, make_named(p, N_GRID_PART, @$, $1), $3); };

coordinates:
    coordinate                                 { $$ = make(p, N_UNIT, @$, 1, $1); }
  | coordinates ',' coordinate                 { $$ = append(p, $1, $3); };

coordinate:
    '*'                                        { $$ = make(p, N_STAR, @$, 0); }
  | conditional
  | conditional ':' conditional                { $$ = make(p, N_TRIPLET, @$, 3, $1, $3, NULL); };

entity_list:
    entity                                     { $$ = make(p, N_UNIT, @$, 1, $1); }
  | entity_list ',' entity                     { $$ = append(p, $1, $3); };

entity:
    any_name                                   { $$ = make_named(p, N_ENTITY, @$, $1); }
  | any_name '(' formats ')'                   { $$ = adopt(p, make_named(p, N_ENTITY, @$, $1), $3); };

name_list:
    any_name                                   { $$ = make(p, N_UNIT, @$, 1, make_named(p, N_ENTITY, @1, $1)); }
  | name_list ',' any_name                     { $$ = append(p, $1, make_named(p, N_ENTITY, @3, $3)); };

format_list: '(' formats ')'                   { $$ = widen($2, @$); };

formats:
    format                                     { $$ = make(p, N_FORMAT_LIST, @$, 1, $1); }
  | formats ',' format                         { $$ = append(p, $1, $3); };

format:
    '*'                                        { $$ = make(p, N_STAR, @$, 0); }
  | conditional;

declarator_list:
    direct_declarator                          { $$ = make(p, N_UNIT, @$, 1, $1); }
  | declarator_list ',' direct_declarator      { $$ = append(p, $1, $3); };

align_reference:
    any_name                                   { $$ = make_named(p, N_NAME, @$, $1); }
  | align_reference '[' align_subscript ']'    { $$ = make(p, N_INDEX, @$, 2, $1, $3); };

align_subscript:
    subscript
  | '*'                                        { $$ = make(p, N_STAR, @$, 0); };

independent: PRAGMA_DPC INDEPENDENT clause_list PRAGMA_END    { $$ = widen($3, @$); };

clause_list:
    %empty                                     { $$ = make(p, N_INDEPENDENT, @$, 0); }
  | clause_list clause                         { $$ = append(p, $1, $2); }
  | clause_list ',' clause                     { $$ = append(p, $1, $3); };

clause:
    any_name '(' expression_list ')'           { $$ = make_clause(p, @$, $1, $3); }
  | any_name '(' reduction_operator ':' expression_list ')'
      { $$ = with_op(p, make_clause(p, @$, $1, $5), @3.first); };

reduction_operator: '+' | '*' | '-' | '&' | '|' | '^' | AND_AND | OR_OR | variable;

expression_list:
    assignment                                 { $$ = make(p, N_UNIT, @$, 1, $1); }
  | expression_list ',' assignment             { $$ = append(p, $1, $3); };

%%

static int yylex(YYSTYPE *value, YYLTYPE *where, parser *p)
{
    token_index index = 0;
    int kind = lexer_next(p->lexer, &index);
    *where = (token_range){index, index};
    value->T_NAME = index;
    return kind;
}

static void yyerror(const YYLTYPE *where, parser *p, const char *message)
{
    diagnose_tokens(p->source, where->first, where->last, D_syntax,
                    strcmp(message, "memory exhausted") == 0 ? "too deeply nested" : message);
}

/* Reports a syntax error: the kinds that could have stood here go to syntax.c by their names. */
static int yyreport_syntax_error(const yypcontext_t *context, parser *p)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *names[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    for (int i = 0; i < count; i++) names[i] = yysymbol_name(kinds[i]);
    bool is_variable = yypcontext_token(context) == YYSYMBOL_VARIABLE;
    report_syntax_error(p, yypcontext_location(context)->first, is_variable, names, count < 0 ? 0 : (size_t)count);
    return 0;
}

node *parse(arena *a, source *s, const char *preprocessed, const char **typedefs)
{
    parser p = {.memory = a, .source = s, .lexer = lexer_new(a, s, preprocessed, typedefs), .errors = error_count()};
    int failure = yyparse(&p);
    token_index index;
    while (s->count == 0 || s->tokens[s->count - 1].kind != T_END) lexer_next(p.lexer, &index);
    lexer_free(p.lexer);
    if (!failure && is_too_deep(&p, p.unit)) failure = 1;
    if (failure || !p.unit) p.unit = make(&p, N_UNIT, (token_range){0, 0}, 0);
    p.unit->first = 0;
    p.unit->last = s->count - 1;
    ast_link(p.unit);
    return p.unit;
}
