# Completion of dpcc's options, their values and files, for bash. Options are those that `dpcc --help` lists.
_dpcc() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]} options name values
    COMPREPLY=()
    # bash takes `=` for a word of its own
    if [ "$word" = = ]; then
        name=$before word=
    elif [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then
        name=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $word == --*=* ]]; then
        name=${word%%=*} word=${word#*=}
    fi
    options=$("$command" --help 2>/dev/null | sed -n 's/^  \(-[^ ]*\).*/\1/p')
    if [ "${name-}" ]; then
        values=$(sed -n "s/^$name\[*=\([^]]*\)\]*\$/\1/p" <<<"$options" | tr '|' '\n' | grep '^[a-z]')
        case $values in
        '') mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word") ;;
        esac
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed 's/\[*=.*/=/' <<<"$options")" -- "$word")
        [ ${#COMPREPLY[@]} = 1 ] && [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    elif [ "$before" = -o ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    else
        mapfile -t COMPREPLY < <(
            compgen -d -S / -- "$word"
            compgen -f -- "$word" | grep -E '\.(dpc|c|o|a|so)$'
        )
        compopt -o filenames 2>/dev/null
    fi
    return 0
}
complete -F _dpcc dpcc
