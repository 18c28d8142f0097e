public import Bytes
internal import Files
public import SymbolSources
public import UnwindRules

/// The unwind rules of debug files, kept in the folder of the symbol caches.
///
/// They are named by the digest of the debug file; a damaged or older file is rebuilt. Without a
/// folder they are built each time.
public struct UnwindRuleCache: Sendable {
  private let folder: String?

  /// - Parameter folder: The folder for rules; it must exist and belong to this user.
  public init(folder: String? = nil) { self.folder = folder }

  /// The rules of a debug file, which may be empty.
  ///
  /// - Throws: ``ParseError`` for a file that cannot have rules, such as a memory dump.
  public func rules(for file: DebugFile) throws(ParseError) -> UnwindRules {
    let path = folder.map { "\($0)/\(file.digest)-\(file.architecture).unwind" }
    if let path, let bytes = try? ByteView(mapping: path),
      let rules = try? UnwindRules(opening: bytes)
    {
      return rules
    }
    let bytes = try UnwindRules.compile(file.object)
    let rules = try UnwindRules(opening: bytes)
    if let path { Self.save(bytes, at: path) }
    return rules
  }

  /// Writes a temporary file and renames it, so that a reader sees a whole file or none.
  ///
  /// Rules that cannot be stored cost time, not results: failures are ignored.
  private static func save(_ bytes: ByteView, at path: String) {
    try? NewFile.write(bytes, to: path, .renewable)
  }
}
