# Completions of @PROGRAM@ for bash, written by '@PROGRAM@ completions bash'.

# What may follow the command $1: commands, options, and the options that take a value.
__@PROGRAM@_command() {
  case $1 in
@COMMANDS@
  esac
}

# What kind of value the option $2 of the command $1 takes, or its argument, '#' and a number.
__@PROGRAM@_kind() {
  kind=''
  case "$1 $2" in
@VALUES@
  esac
}

# The words up to the cursor, those put together again that bash parts at a colon or an equals sign.
__@PROGRAM@_words() {
  local line=$COMP_LINE index word
  words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ $index -eq 0 || $line == [[:blank:]]* ]]; then
      line=${line#"${line%%[![:blank:]]*}"}
      words+=("$word")
    else
      words[${#words[@]} - 1]+=$word
    fi
    line=${line#"$word"}
  done
  current=$((${#words[@]} - 1))
}

# Offers the values of the kind $1 that begin with $2, with $3 before each.
__@PROGRAM@_offer() {
  local value
  case $1 in
    '') ;;
    :file | :folder)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -A "$([[ $1 == :file ]] && echo file || echo directory)" -- "$2")
      return
      ;;
    =*) mapfile -t COMPREPLY < <(compgen -P "$3" -W "${1#=}" -- "$2") ;;
    *)
      while IFS= read -r value; do
        value=${value%%$'\t'*}
        [[ $value == "$2"* ]] || continue
        [[ $value == *: ]] && compopt -o nospace 2>/dev/null
        printf -v value '%q' "$value"
        COMPREPLY+=("$3$value")
      done < <("${words[0]/#\~/$HOME}" __complete "$1" -- "$2" "${words[@]:1:current-1}" 2>/dev/null)
      ;;
  esac
}

_@PROGRAM@() {
  local -a words=()
  local current index word kind count=0 is_value='' only_arguments='' path='@PROGRAM@'
  local commands options valued
  COMPREPLY=()
  __@PROGRAM@_words
  __@PROGRAM@_command "$path"
  for ((index = 1; index < current; index++)); do
    word=${words[index]}
    if [[ $is_value ]]; then
      is_value=''
    elif [[ $only_arguments ]]; then
      count=$((count + 1))
    elif [[ $word == -- ]]; then
      only_arguments=1
    elif [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* ]]; then is_value=$word; fi
    elif [[ " $commands " == *" $word "* ]]; then
      path+=" $word"
      count=0
      __@PROGRAM@_command "$path"
    else
      count=$((count + 1))
    fi
  done
  word=${words[current]#[\"\']}
  if [[ $is_value ]]; then
    __@PROGRAM@_kind "$path" "$is_value"
    __@PROGRAM@_offer "$kind" "$word" ''
  elif [[ ! $only_arguments && $word == --*=* ]]; then
    __@PROGRAM@_kind "$path" "${word%%=*}"
    case $kind in
      :*) __@PROGRAM@_offer "$kind" "${word#*=}" '' ;;
      *) __@PROGRAM@_offer "$kind" "${word#*=}" "${word%%=*}=" ;;
    esac
  elif [[ $commands && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  else
    if [[ ! $only_arguments && $word == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    fi
    # A dash may also stand before a condition of a query.
    if [[ ! ${COMPREPLY[0]} ]]; then
      __@PROGRAM@_kind "$path" "#$count"
      __@PROGRAM@_offer "$kind" "$word" ''
    fi
  fi
  # Bash replaces only what stands behind the last of these signs.
  local sign before
  for sign in : =; do
    if [[ $COMP_WORDBREAKS == *"$sign"* && $word == *"$sign"* ]]; then
      before=${word%"${word##*"$sign"}"}
      COMPREPLY=("${COMPREPLY[@]#"$before"}")
    fi
  done
}

complete -F _@PROGRAM@ @PROGRAM@
