/// Completions for zsh: a file `_mayday` in a folder of `$fpath`.
struct ZshCompletion {
  let table: CompletionTable

  var text: String {
    Self.template
      .split(separator: "@PROGRAM@", omittingEmptySubsequences: false)
      .joined(separator: table.program)
      .split(separator: "@FUNCTIONS@\n", omittingEmptySubsequences: false)
      .joined(separator: table.entries.map(function).joined(separator: "\n"))
  }

  private func function(_ entry: CompletionTable.Entry) -> String {
    var lines = entry.options.map(option)
    if entry.words.isEmpty {
      lines += entry.arguments.enumerated().map { index, argument in
        let position = argument.isRepeated ? "*" : String(index + 1)
        return CompletionScript.quoted(
          "\(position):\(message(argument.name)):\(action(argument.hint))")
      }
      return """
        \(name(of: entry.path))() {
          _arguments -s -S : \\
        \(lines.map { "    " + $0 }.joined(separator: " \\\n"))
        }

        """
    }
    lines += ["'1: :->command'", "'*:: :->rest'"]
    let words = entry.words.map { word in
      "      " + CompletionScript.quoted(escaped(word.name, ":") + ":" + escaped(word.meaning, ":"))
    }
    let below = entry.words.map { entry.path + [$0.name] }
      .filter { path in table.entries.contains { $0.path == path } }
      .map { "        \($0.last ?? "")) \(name(of: $0)) && result=0 ;;" }
    return """
      \(name(of: entry.path))() {
        local context state state_descr line result=1
        typeset -A opt_args
        _arguments -C -S : \\
      \(lines.map { "    " + $0 }.joined(separator: " \\\n")) && result=0
        case $state in
          command)
            local -a commands=(
      \(words.joined(separator: "\n"))
            )
            _describe -t commands command commands && result=0
            ;;
          rest)
            case $words[1] in
      \(below.joined(separator: "\n"))
            esac
            ;;
        esac
        return result
      }

      """
  }

  private func name(of path: [String]) -> String {
    path.count == 1 ? "__\(path[0])_program" : "__" + path.joined(separator: "_")
  }

  /// `'(-o --object)'{-o+,--object=}'[The program]:FILE:_files'`
  private func option(_ option: CompletionTable.Option) -> String {
    let meaning = "[\(escaped(option.meaning, "[]:"))]"
    let value = option.isFlag ? "" : ":\(message(option.valueName)):\(action(option.hint))"
    let names = option.names.map { name in
      option.isFlag ? name : name + (name.hasPrefix("--") ? "=" : "+")
    }
    let isLast = option.names.contains("--help") || option.names.contains("--version")
    let prefix =
      isLast
      ? "(- *)"
      : option.isRepeated ? "*" : names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
    guard names.count > 1 else {
      return CompletionScript.quoted(prefix + (names.first ?? "") + meaning + value)
    }
    return CompletionScript.quoted(prefix) + "{" + names.joined(separator: ",") + "}"
      + CompletionScript.quoted(meaning + value)
  }

  private func action(_ hint: ValueHint) -> String {
    switch hint {
    case .none: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .dynamic(let name): "{__\(table.program)_ask \(name)}"
    }
  }

  private func message(_ name: String) -> String { escaped(name, ":") }

  private func escaped(_ text: String, _ signs: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "\\" || signs.contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  private static let template = String(
    decoding: PackageResources.completion_zsh, as: UTF8.self)
}
