#compdef @PROGRAM@
# Completions of @PROGRAM@ for zsh, written by '@PROGRAM@ completions zsh'.

# Offers what the program itself knows of the kind $1.
__@PROGRAM@_ask() {
  local -a names displays open open_displays
  local line name
  for line in "${(@f)$("${__@PROGRAM@_line[1]/#\~/$HOME}" __complete $1 -- "${(Q)PREFIX}" \
    "${(@Q)__@PROGRAM@_line[2,-1]}" 2>/dev/null)}"; do
    name=${line%%$'\t'*}
    [[ -n $name ]] || continue
    [[ $line == *$'\t'* ]] && line="$name  -- ${line#*$'\t'}"
    if [[ $name == *: ]]; then
      open+=($name)
      open_displays+=($line)
    else
      names+=($name)
      displays+=($line)
    fi
  done
  local result=1
  (( $#names )) && compadd -l -d displays -a names && result=0
  (( $#open )) && compadd -S '' -l -d open_displays -a open && result=0
  return result
}

@FUNCTIONS@

_@PROGRAM@() {
  # The functions below see only the words of their own command.
  local -a __@PROGRAM@_line=("${words[1,CURRENT-1][@]}")
  __@PROGRAM@_program
}

if [[ $funcstack[1] == _@PROGRAM@ ]]; then
  _@PROGRAM@ "$@"
else
  compdef _@PROGRAM@ @PROGRAM@
fi
