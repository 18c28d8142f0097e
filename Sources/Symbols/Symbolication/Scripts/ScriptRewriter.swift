internal import CrashModel
internal import SourceMaps

/// Puts the functions, files and lines of source maps into the stacks of one report.
struct ScriptRewriter {
  private let choice: SourceMapSelection

  init(_ choice: SourceMapSelection) { self.choice = choice }

  func map(_ frames: [Frame]) -> [Frame] {
    let locations = frames.map(location)
    return frames.indices.map { index in
      var frame = frames[index]
      guard let file = frame.file, let chosen = choice.scripts[file] else { return frame }
      frame.image = frame.image ?? chosen.image
      guard let location = locations[index] else { return frame }
      let caller = index + 1 < frames.count ? locations[index + 1] : nil
      take(location, calledAs: caller?.name, into: &frame)
      return frame
    }
  }

  private func location(of frame: Frame) -> SourceMap.Location? {
    guard frame.address == nil, let file = frame.file, let line = frame.line else { return nil }
    return choice.scripts[file]?.map?.location(line: line, column: frame.column)
  }

  private func take(
    _ location: SourceMap.Location, calledAs name: String?, into frame: inout Frame
  ) {
    let given = frame.function
    frame.function = Self.function(location, given: given, calledAs: name)
    if let given, given != frame.function { frame.symbol = frame.symbol ?? given }
    frame.file = Self.tidy(location.file)
    frame.line = location.line
    frame.column = location.column
    // Whoever decided knew the path of the bundle.
    frame.inApp = location.isIgnored || Self.isOfBundler(location.file) ? false : nil
  }

  // MARK: Functions

  private static func function(
    _ location: SourceMap.Location, given: String?, calledAs name: String?
  ) -> String? {
    switch location.function {
    case .named(let function): return kept(given) + function.withoutNew(after: given)
    case .anonymous: return nil
    case .topLevel: return given.flatMap { outermost.contains($0) ? $0 : nil }
    case .unknown:
      guard let given else { return nil }
      // The caller calls it by its name.
      if let name, !isShort(name) { return kept(given) + name }
      return isShort(given.split(separator: ".").last.map(String.init) ?? given) ? nil : given
    }
  }

  /// Names of engines for code outside functions.
  private static let outermost: Set<String> = [
    "Object.<anonymous>", "global code", "module code", "eval code", "global",
  ]

  /// The words that engines write before a function's name.
  private static func kept(_ given: String?) -> String {
    for word in ["async ", "new "] where given?.hasPrefix(word) == true { return word }
    return ""
  }

  /// Whether a minifier may have made the name.
  private static func isShort(_ name: String) -> Bool { name.utf8.count <= 2 }

  // MARK: Files

  /// `webpack:///./src/cart.js?1a2b` as `webpack:///src/cart.js`.
  private static func tidy(_ file: String) -> String {
    var file = file.replacing("/./", with: "/")
    if file.hasPrefix("webpack:"), let query = file.lastIndex(of: "?") {
      file = String(file[..<query])
    }
    return file
  }

  /// Code that bundlers add, and that of packages.
  private static func isOfBundler(_ file: String) -> Bool {
    ["/webpack/", "(webpack)/", "webpack/bootstrap", "webpack/runtime", "/node_modules/", "\u{0}"]
      .contains { file.contains($0) } || file.hasPrefix("node_modules/")
  }
}

extension String {
  /// The name of a constructor where the engine has written `new` already.
  fileprivate func withoutNew(after given: String?) -> String {
    given?.hasPrefix("new ") == true && hasPrefix("new ") ? String(dropFirst(4)) : self
  }
}
