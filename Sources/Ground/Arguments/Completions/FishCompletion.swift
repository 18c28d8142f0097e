/// Completions for fish: a file `mayday.fish` in its folder of completions.
struct FishCompletion {
  let table: CompletionTable

  var text: String {
    let known = table.entries.map { entry in
      "    case \(CompletionScript.quoted(entry.name))\n"
        + "      set commands \(entry.words.map(\.name).joined(separator: " "))\n"
        + "      set valued "
        + entry.options.filter { !$0.isFlag }.flatMap(\.names).joined(separator: " ") + "\n"
    }
    return Self.template
      .split(separator: "@PROGRAM@", omittingEmptySubsequences: false)
      .joined(separator: table.program)
      .split(separator: "@KNOWN@\n", omittingEmptySubsequences: false)
      .joined(separator: known.joined())
      .split(separator: "@COMPLETIONS@\n", omittingEmptySubsequences: false)
      .joined(separator: table.entries.map(completions).joined(separator: "\n"))
  }

  private func completions(_ entry: CompletionTable.Entry) -> String {
    let start =
      "complete -c \(table.program) -n "
      + CompletionScript.quoted("__\(table.program)_at \(entry.name)")
    var lines = entry.words.map { word in
      "\(start) -a \(quoted(word.name)) -d \(quoted(word.meaning))"
    }
    lines += entry.options.map { option in
      let names = option.names.map { name in
        name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
      }
      let value = option.isFlag ? "" : " " + values(option.hint, isOption: true)
      return "\(start) \(names.joined(separator: " "))\(value) -d \(quoted(option.meaning))"
    }
    if entry.words.isEmpty {
      var seen: Set<String> = []
      for argument in entry.arguments where argument.hint != .none {
        let line = "\(start) \(values(argument.hint, isOption: false))"
        if seen.insert(line).inserted { lines.append(line) }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func values(_ hint: ValueHint, isOption: Bool) -> String {
    switch hint {
    case .none: isOption ? "-x" : ""
    case .file: isOption ? "-r -F" : "-F"
    case .folder: (isOption ? "-x " : "") + "-a '(__fish_complete_directories)'"
    case .words(let words): (isOption ? "-x " : "") + "-a \(quoted(words.joined(separator: " ")))"
    case .dynamic(let name):
      (isOption ? "-x " : "") + "-a '(__\(table.program)_ask \(name))'"
    }
  }

  /// Fish takes a backslash in quotes for itself, before a quote and before another backslash.
  private func quoted(_ text: String) -> String {
    "'"
      + text.reduce(into: "") { result, character in
        if character == "\\" || character == "'" { result.append("\\") }
        result.append(character)
      } + "'"
  }

  private static let template = String(
    decoding: PackageResources.completion_fish, as: UTF8.self)
}
