import Arguments

/// What the program can tell a shell of a value that is being typed.
enum CompletionKind: String, CaseIterable, ArgumentValue {
  case app, group, id, version, query, field, command
}
