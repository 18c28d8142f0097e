import AddressLookUp
import Arguments

/// Other tools in whose place this program stands: commands of their names, and links to it that
/// are called as they are.
enum ToolName {
  /// The version in one line, where the words of a command line ask such a tool for it; `nil` where
  /// they do not.
  ///
  /// It is not a declared option: `MAYDAY_VERSION` may stand in any environment.
  static func version(askedBy words: [String]) -> String? {
    let tools = [Addr2lineCommand.name, LLVMAddr2lineCommand.name, LLVMSymbolizerCommand.name]
    guard let tool = words.first, tools.contains(tool) else { return nil }
    let options = words.dropFirst()
    guard options.contains("--version") || options.contains("-v") || options.contains("-V") else {
      return nil
    }
    return "mayday \(tool) \(MaydayProgram.version)\n"
  }

  /// The words of the command line after the program's name, with the tool's where the program is
  /// called by it, and with the words of files (`@FILE`) and whole options for tools that take
  /// them.
  ///
  /// - Parameter arguments: The command line, the program's own name first.
  static func words(of arguments: [String]) throws -> [String] {
    var words = Array(arguments.dropFirst())
    if let tool = tool(calledAs: arguments.first ?? "") { words.insert(tool, at: 0) }
    switch words.first {
    case Addr2lineCommand.name:
      // A file that cannot be read is a word like others there.
      let expanded = words.dropFirst().flatMap { word in
        (try? WordFile.expanding([word])) ?? [word]
      }
      return [words[0]] + wholeOptions(expanded)
    case LLVMAddr2lineCommand.name, LLVMSymbolizerCommand.name:
      return [words[0]] + (try WordFile.expanding(Array(words.dropFirst())).map(modern))
    default: return words
    }
  }

  /// The tool that a path names: `/usr/bin/addr2line`, `llvm-symbolizer-19`,
  /// `aarch64-linux-gnu-addr2line`.
  static func tool(calledAs path: String) -> String? {
    var name = path.split(separator: "/").last ?? ""
    if let dash = name.lastIndex(of: "-"), name[name.index(after: dash)...].allSatisfy(\.isNumber) {
      name = name[..<dash]
    }
    if name == AtosCommand.name { return AtosCommand.name }
    let tools = [LLVMSymbolizerCommand.name, LLVMAddr2lineCommand.name, Addr2lineCommand.name]
    return tools.first { name == $0 || name.hasSuffix("-" + $0) }
  }

  /// Spellings that older sanitizers use, as llvm-symbolizer still takes them.
  private static func modern(_ word: String) -> String {
    switch word {
    case "-demangle=true", "--demangle=true": "--demangle"
    case "-demangle=false", "--demangle=false": "--no-demangle"
    case "-inlining=true", "--inlining=true", "-inlining": "--inlines"
    case "-inlining=false", "--inlining=false": "--no-inlines"
    default: word
    }
  }

  /// Long options of addr2line that were cut as far as they are clear (`--func`), whole.
  private static func wholeOptions(_ words: [String]) -> [String] {
    words.map { word in
      guard word.hasPrefix("--"), word.count > 2 else { return word }
      let name = word.prefix { $0 != "=" }
      let matches = Addr2lineCommand.longNames.filter { $0.hasPrefix(name) }
      guard matches.count == 1 else { return word }
      return matches[0] + word.dropFirst(name.count)
    }
  }
}
