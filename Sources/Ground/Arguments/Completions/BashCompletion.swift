/// Completions for bash 4 and later; they need no other package.
struct BashCompletion {
  let table: CompletionTable

  var text: String {
    let name = table.program
    return Self.template
      .split(separator: "@PROGRAM@", omittingEmptySubsequences: false).joined(separator: name)
      .split(separator: "@COMMANDS@\n", omittingEmptySubsequences: false)
      .joined(separator: table.entries.map(command).joined())
      .split(separator: "@VALUES@\n", omittingEmptySubsequences: false)
      .joined(separator: table.entries.map(values).joined())
  }

  private func command(_ entry: CompletionTable.Entry) -> String {
    let names = entry.options.flatMap(\.names)
    let valued = entry.options.filter { !$0.isFlag }.flatMap(\.names)
    return """
          \(CompletionScript.quoted(entry.name)))
            commands=\(CompletionScript.quoted(entry.words.map(\.name).joined(separator: " ")))
            options=\(CompletionScript.quoted(names.joined(separator: " ")))
            valued=\(CompletionScript.quoted(valued.joined(separator: " ")))
            ;;

      """
  }

  private func values(_ entry: CompletionTable.Entry) -> String {
    let options = entry.options.filter { !$0.isFlag && $0.hint != .none }.map { option in
      let patterns = option.names.map { CompletionScript.quoted("\(entry.name) \($0)") }
      return "    \(patterns.joined(separator: " | "))) kind=\(kind(option.hint)) ;;\n"
    }
    let arguments = entry.arguments.enumerated().filter { $0.element.hint != .none }
      .map { index, argument in
        let number = argument.isRepeated ? "*" : String(index)
        return "    \(CompletionScript.quoted(entry.name + " #"))\(number)) "
          + "kind=\(kind(argument.hint)) ;;\n"
      }
    return (options + arguments).joined()
  }

  private func kind(_ hint: ValueHint) -> String {
    switch hint {
    case .none: "''"
    case .file: ":file"
    case .folder: ":folder"
    case .words(let words): CompletionScript.quoted("=" + words.joined(separator: " "))
    case .dynamic(let name): name
    }
  }

  private static let template = String(
    decoding: PackageResources.completion_bash, as: UTF8.self)
}
