import Arguments

/// The kinds of values that the program completes for a shell.
enum CompletionKind: String, CaseIterable, ArgumentValue {
  case app, group, id, version, query, field, command, format
}
