import Arguments

/// The completions that a shell offers for a value, by the value's name in help.
enum ValueHints {
  static let byName: [String: ValueHint] = [
    "FILE": .file,
    "PATH": .file,
    "DIR": .folder,
    "APP": .dynamic(CompletionKind.app.rawValue),
    "GROUP": .dynamic(CompletionKind.group.rawValue),
    "OTHER": .dynamic(CompletionKind.group.rawValue),
    "REPORT": .dynamic(CompletionKind.id.rawValue),
    "ID": .dynamic(CompletionKind.id.rawValue),
    "VERSION": .dynamic(CompletionKind.version.rawValue),
    "QUERY": .dynamic(CompletionKind.query.rawValue),
    "FIELD": .dynamic(CompletionKind.field.rawValue),
    "FORMAT": .dynamic(CompletionKind.format.rawValue),
    "COMMAND": .dynamic(CompletionKind.command.rawValue),
  ]
}
