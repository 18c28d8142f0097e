# Completions of @PROGRAM@ for fish, written by '@PROGRAM@ completions fish'.

# What may follow the command $argv: commands, and options that take a value.
function __@PROGRAM@_known --no-scope-shadowing
  switch "$path"
@KNOWN@
  end
end

# Whether the command line calls the command $argv.
function __@PROGRAM@_at
  set -l line (commandline -opc)
  set -l path @PROGRAM@
  set -l commands
  set -l valued
  set -l is_value 0
  __@PROGRAM@_known
  for word in $line[2..-1]
    if test $is_value = 1
      set is_value 0
    else if test "$word" = --
      break
    else if contains -- $word $valued
      set is_value 1
    else if contains -- $word $commands
      set path "$path $word"
      set commands
      set valued
      __@PROGRAM@_known
    end
  end
  test "$path" = "$argv"
end

# What the program itself knows of the kind $argv.
function __@PROGRAM@_ask
  set -l line (commandline -opc)
  set -l current (commandline -ct)
  # Of --name=value, the value is what is asked for.
  set current (string replace -r '^--[a-z-]+=' '' -- $current)
  command $line[1] __complete $argv -- "$current" $line[2..-1] 2>/dev/null
end

complete -c @PROGRAM@ -f
@COMPLETIONS@
