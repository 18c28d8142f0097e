internal import AddressLookUp
internal import Arguments
internal import CrashService

/// Other tools that this program can replace: as commands of the same name, or through links named
/// like the tool.
package enum ToolName {
  /// The version in one line, if the command line asks such a tool for it; `nil` otherwise.
  ///
  /// It is not a declared option: `MAYDAY_VERSION` may be set in any environment.
  package static func version(askedBy words: [String]) -> String? {
    let tools = [Addr2lineCommand.name, LLVMAddr2lineCommand.name, LLVMSymbolizerCommand.name]
    guard let tool = words.first, tools.contains(tool) else { return nil }
    let options = words.dropFirst()
    guard options.contains("--version") || options.contains("-v") || options.contains("-V") else {
      return nil
    }
    return "mayday \(tool) \(Product.version)\n"
  }

  /// The words of the command line after the program's name. Begins with the tool's name if the
  /// program was called by it; for tools that take them, response files (`@FILE`) are expanded and
  /// abbreviated options completed.
  ///
  /// - Parameter arguments: The command line, the program's own name first.
  package static func words(of arguments: [String]) throws -> [String] {
    var words = Array(arguments.dropFirst())
    if let tool = tool(calledAs: arguments.first ?? "") { words.insert(tool, at: 0) }
    switch words.first {
    case Addr2lineCommand.name:
      // A response file that cannot be read is an ordinary word for this tool.
      let expanded = words.dropFirst().flatMap { word in
        (try? ResponseFileArguments.expanding([word])) ?? [word]
      }
      return [words[0]] + wholeOptions(expanded)
    case LLVMAddr2lineCommand.name, LLVMSymbolizerCommand.name:
      return [words[0]]
        + (try ResponseFileArguments.expanding(Array(words.dropFirst())).map(modern))
    default: return words
    }
  }

  /// The tool that a path names: `/usr/bin/addr2line`, `llvm-symbolizer-19`,
  /// `aarch64-linux-gnu-addr2line`.
  package static func tool(calledAs path: String) -> String? {
    var name = path.split(separator: "/").last ?? ""
    if let dash = name.lastIndex(of: "-"), name[name.index(after: dash)...].allSatisfy(\.isNumber) {
      name = name[..<dash]
    }
    if name == AtosCommand.name { return AtosCommand.name }
    let tools = [LLVMSymbolizerCommand.name, LLVMAddr2lineCommand.name, Addr2lineCommand.name]
    return tools.first { name == $0 || name.hasSuffix("-" + $0) }
  }

  /// Replaces spellings that older sanitizers use and llvm-symbolizer still accepts.
  private static func modern(_ word: String) -> String {
    switch word {
    case "-demangle=true", "--demangle=true": "--demangle"
    case "-demangle=false", "--demangle=false": "--no-demangle"
    case "-inlining=true", "--inlining=true", "-inlining": "--inlines"
    case "-inlining=false", "--inlining=false": "--no-inlines"
    default: word
    }
  }

  /// Completes abbreviated long options of addr2line (`--func`) as far as they are unambiguous.
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
