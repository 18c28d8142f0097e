internal import Bytes
public import Identifiers
internal import Synchronization

/// A source map: from positions in generated code to positions in its sources.
///
/// Plain maps and indexed ones (`sections`), of version 3. Strings stay in the bytes of the map, and
/// the mappings stay text: see `MappingIndex`.
///
/// Source: ECMA-426.
public final class SourceMap: Sendable {
  let bytes: ByteView
  /// Sorted by their first positions.
  let parts: [SourceMapPart]
  /// The generated file, as named by the map.
  public let file: String?
  /// The id that a build tool gave the map and its script.
  public let debugID: DebugID?
  private let functions = Mutex(FunctionCache())

  init(
    bytes: ByteView, parts: [SourceMapPart], file: String?, debugID: DebugID?
  ) {
    self.bytes = bytes
    self.parts = parts
    self.file = file
    self.debugID = debugID
  }

  /// The source location of a piece of generated code.
  public struct Location: Sendable, Equatable {
    /// The path or URL of the source, below the map's root.
    public var file: String
    /// From 1.
    public var line: Int
    /// From 1.
    public var column: Int
    /// The original name of the code there.
    public var name: String?
    /// The function around it, as far as known.
    public var function: Function
    /// Whether the map marks the source as third-party code.
    public var isIgnored: Bool
  }

  /// The function around a position of a source.
  public enum Function: Sendable, Equatable {
    case named(String)
    /// A function without a name.
    case anonymous
    /// Code outside functions.
    case topLevel
    case unknown
  }

  /// The segments of all parts.
  public var segmentCount: Int { parts.reduce(0) { $0 + $1.mappings.count } }

  /// The source location of the code at a position; `nil` where it has no source, or the line has nothing
  /// before the position.
  ///
  /// - Parameters:
  ///   - line: From 1.
  ///   - column: From 1. Without it, the line is sufficient only if all of it comes from one source line.
  /// - Complexity: O(log n), and O(length) once for each source whose functions are requested.
  public func location(line: Int, column: Int?) -> Location? {
    guard line > 0, let line = Int32(exactly: line - 1) else { return nil }
    guard let column else { return wholeLine(line) }
    guard column > 0, let column = Int32(exactly: column - 1),
      let (part, token) = token(line: line, column: column)
    else { return nil }
    return location(of: token, in: part, wantsColumn: true)
  }

  private func token(line: Int32, column: Int32) -> (Int, MappingIndex.Token)? {
    let next = parts.lowerBound { ($0.line, $0.column) <= (line, column) }
    guard next > 0 else { return nil }
    let part = parts[next - 1]
    let isFirstLine = line == part.line
    guard
      let token = part.mappings.token(
        line: line - part.line, column: isFirstLine ? column - part.column : column)
    else { return nil }
    return (next - 1, token)
  }

  private func wholeLine(_ line: Int32) -> Location? {
    let next = parts.lowerBound { $0.line <= line }
    guard next > 0 else { return nil }
    var found: MappingIndex.Token?
    var isOne = true
    var left = SourceMapLimits.lineSegments
    let part = parts[next - 1]
    // Several parts on one line mean several sources.
    if next > 1, parts[next - 2].line == line { return nil }
    part.mappings.forEachToken(of: line - part.line) { token in
      left -= 1
      guard token.source >= 0 else { return left > 0 }
      if let found {
        isOne = found.source == token.source && found.sourceLine == token.sourceLine
      } else {
        found = token
      }
      return isOne && left > 0
    }
    guard isOne, left > 0, let found else { return nil }
    return location(of: found, in: next - 1, wantsColumn: false)
  }

  private func location(
    of token: MappingIndex.Token, in index: Int, wantsColumn: Bool
  ) -> Location? {
    let part = parts[index]
    guard token.source >= 0, Int(token.source) < part.sources.count,
      let file = path(of: part.sources[Int(token.source)], in: part)
    else { return nil }
    let ignored = part.ignored.lowerBound { $0 < token.source }
    return Location(
      file: file, line: Int(token.sourceLine) + 1, column: Int(token.sourceColumn) + 1,
      name: name(token.name, in: part),
      function: function(at: token, in: index),
      isIgnored: ignored < part.ignored.count && part.ignored[ignored] == token.source)
  }

  private func name(_ index: Int32, in part: SourceMapPart) -> String? {
    guard index >= 0, Int(index) < part.names.count else { return nil }
    return part.names[Int(index)].string(in: bytes)
  }

  /// The path of a source, joined to the root of the map if it is relative.
  private func path(of text: SourceMapText, in part: SourceMapPart) -> String? {
    guard let path = text.string(in: bytes), !path.isEmpty else { return nil }
    guard let root = part.sourceRoot, !root.isEmpty, !path.hasPrefix("/"), !path.contains("://")
    else { return path }
    return root.hasSuffix("/") ? root + path : root + "/" + path
  }

  // MARK: Sources

  /// The paths of all sources, as in the results of look-ups.
  ///
  /// - Complexity: O(n).
  public var sources: [String] {
    parts.flatMap { part in part.sources.compactMap { path(of: $0, in: part) } }
  }

  /// The text of a source, where the map has it.
  ///
  /// - Parameter path: The path as returned by a look-up.
  /// - Complexity: O(sources).
  public func text(of path: String) -> String? {
    for part in parts {
      for index in part.sources.indices
      where index < part.contents.count && self.path(of: part.sources[index], in: part) == path {
        guard let text = content(index, of: part) else { continue }
        return text
      }
    }
    return nil
  }

  private func content(_ index: Int, of part: SourceMapPart) -> String? {
    guard index < part.contents.count else { return nil }
    return part.contents[index].string(in: bytes, limit: SourceMapLimits.sourceBytes)
  }

  // MARK: Functions

  /// The functions of a source, as far as known.
  private enum SourceFunctions {
    case map(FunctionMap)
    case script(ScriptFunctions)
    case unknown
  }

  /// The functions of the most recently requested sources.
  private struct FunctionCache {
    struct Key: Hashable {
      var part: Int
      var source: Int32
    }

    var sources: [Key: SourceFunctions] = [:]
  }

  /// The function map of the source takes precedence over its text.
  private func function(at token: MappingIndex.Token, in index: Int) -> Function {
    let key = FunctionCache.Key(part: index, source: token.source)
    var known = functions.withLock { $0.sources[key] }
    if known == nil {
      let read = functions(of: Int(token.source), in: parts[index])
      functions.withLock { cache in
        if cache.sources.count >= SourceMapLimits.keptSources { cache.sources = [:] }
        cache.sources[key] = read
      }
      known = read
    }
    switch known {
    case .map(let map):
      guard
        let name = map.function(line: Int(token.sourceLine) + 1, column: Int(token.sourceColumn))
      else { return .unknown }
      switch name {
      case "<global>": return .topLevel
      case "", "<anonymous>": return .anonymous
      default: return .named(name.replacing("#", with: "."))
      }
    case .script(let script):
      return script.function(line: Int(token.sourceLine), column: Int(token.sourceColumn))
    case .unknown, nil: return .unknown
    }
  }

  private func functions(of source: Int, in part: SourceMapPart) -> SourceFunctions {
    if source < part.functionMaps.count, part.functionMaps[source].count > 0 {
      let range = part.functionMaps[source]
      let object = bytes.clamped(Int(range.start)..<(Int(range.start) + Int(range.count)))
      // A damaged map gives no functions; the positions do not depend on it.
      if let map = try? FunctionMap(parsing: object) { return .map(map) }
    }
    guard let text = content(source, of: part) else { return .unknown }
    return .script(ScriptFunctions(of: ByteView(text.utf8)))
  }
}
