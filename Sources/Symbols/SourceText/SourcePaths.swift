/// Paths of sources, matched as exactly as possible.
///
/// A path is searched for as it is spelled, then normalised (`a/./b`, `a/../b`, `a\b`), then by its end: the
/// one with the most last parts in common, if it has more of them than any other. Drives and roots differ
/// between the build machine and the one that asks; names seldom do.
struct SourcePaths: Sendable {
  private var exact: [String: Int] = [:]
  private var plain: [[Substring]: Int] = [:]
  private var byName: [Substring: [Int]] = [:]
  private var parts: [[Substring]] = []

  /// The first of equal paths counts.
  init(_ paths: [String]) {
    for (index, path) in paths.enumerated() {
      let parts = Self.parts(of: path)
      self.parts.append(parts)
      if exact[path] == nil { exact[path] = index }
      if plain[parts] == nil {
        plain[parts] = index
        if let name = parts.last { byName[name, default: []].append(index) }
      }
    }
  }

  /// The index of the path that `path` refers to.
  func index(of path: String) -> Int? {
    if let index = exact[path] { return index }
    let wanted = Self.parts(of: path)
    guard let name = wanted.last else { return nil }
    if let index = plain[wanted] { return index }
    var best: Int?
    var length = 0
    for index in byName[name] ?? [] {
      let common = zip(parts[index].reversed(), wanted.reversed()).prefix { $0 == $1 }.count
      if common > length {
        best = index
        length = common
      } else if common == length {
        best = nil
      }
    }
    return best
  }

  /// The parts of a path without empty ones, dots, and folders followed by `..`. Leading `..` parts are
  /// ignored.
  private static func parts(of path: String) -> [Substring] {
    var parts: [Substring] = []
    for part in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts
  }
}
