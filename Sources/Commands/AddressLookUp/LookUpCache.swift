package import Bytes
internal import Files
internal import Glibc
package import SymbolCache
package import Symbolication

/// The symbol caches that look-ups keep for later ones.
///
/// A debug file is recognised by its location in the file system, its size and its times, so that its
/// contents need not be read.
package struct LookUpCache {
  /// Default limit for the size of all caches together, in bytes.
  package static let standardBudget = 2_000_000_000

  /// Coarsest resolution of a file system's clock, in nanoseconds.
  private static let tick = 20_000_000

  private let folder: CacheFolder
  private let name: String

  /// `nil` where the file cannot be recognised, such as a folder with several.
  ///
  /// - Parameters:
  ///   - path: The debug file.
  ///   - folder: The folder of the caches.
  package init?(of path: String, architecture: String?, in folder: CacheFolder) {
    guard let file = Self.file(at: path), let identity = Self.identity(of: file),
      Self.isName(architecture ?? "")
    else { return nil }
    self.folder = folder
    // No digest: loading the library that computes one would take longer than the look-up.
    name = [
      "look-up", engineVersion, String(SymbolCache.formatVersion), identity,
      architecture ?? "any",
    ].joined(separator: "-")
  }

  /// Whether a text may be part of a file name.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 32
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }

  /// The default folder of caches; `nil` where the environment names none.
  package static var standardFolder: String? { Folder.userCaches }

  /// The kept cache, if there is one and it was made from other files in their present state.
  package var kept: SymbolCache? {
    if let cache = folder.cache(named: name) { return cache }
    guard let others = folder.others(of: name), let name = name(besides: others) else { return nil }
    return folder.cache(named: name)
  }

  /// Returns the kept cache; where there is none, compiles one with `make` and keeps it.
  ///
  /// - Parameter others: The other files from which it is made.
  package func cache(
    besides others: [String], make: () throws(ParseError) -> ByteView
  ) throws(ParseError) -> SymbolCache {
    guard !others.isEmpty else { return try folder.cache(named: name, make: make) }
    guard let name = name(besides: others) else { return try SymbolCache(opening: make()) }
    let cache = try folder.cache(named: name, make: make)
    folder.keep(others: others, of: self.name)
    return cache
  }

  /// Returns `nil` where one of the files is not a plain file, such as a member of an archive.
  private func name(besides others: [String]) -> String? {
    // FNV-1a: the hashed text comes from the file system, not from the files.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for path in others {
      guard let file = Self.file(at: path), let identity = Self.identity(of: file) else {
        return nil
      }
      for byte in identity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0x2f) &* 0x100_0000_01b3
    }
    return name + "-" + String(hash, radix: 36)
  }

  /// Returns the regular file for `path`: itself, or the one in a dSYM bundle.
  private static func file(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFREG { return path }
    let inner = path + "/Contents/Resources/DWARF"
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let names = FolderNames.of(inner).filter { !$0.hasPrefix(".") }
    return names.count == 1 ? "\(inner)/\(names[0])" : nil
  }

  private static func identity(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    // A file that is written in the same tick of the clock has the same times: a file that was changed just
    // now is checked again when the next change would have other times.
    let now = WallClock.now
    let age =
      (now.seconds &- status.st_ctim.tv_sec) &* 1_000_000_000
      &+ (now.nanoseconds &- status.st_ctim.tv_nsec)
    if age >= 0, age < tick {
      SteadyClock.pause(nanoseconds: Int64(tick - age))
      guard stat(path, &status) == 0 else { return nil }
    }
    let numbers = [
      Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    return numbers.map { String($0, radix: 36) }.joined(separator: "-")
  }
}
