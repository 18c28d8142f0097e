internal import Files
package import Bytes
internal import CrashModel
internal import Glibc
package import SymbolCache
package import Symbolication

/// The symbol caches that look-ups keep for the next one.
///
/// A debug file is known again by its place in the file system, its size and its times, so that its
/// contents need not be read for it.
package struct LookUpCache {
  /// The size of all caches together, in bytes.
  package static let standardBudget = 2_000_000_000

  /// As far as the clock of a file system may stand still, in nanoseconds.
  private static let tick = 20_000_000

  private let folder: CacheFolder
  private let name: String

  /// `nil` where the file cannot be known again: a folder holds several.
  ///
  /// - Parameters:
  ///   - path: The debug file.
  ///   - folder: Where the caches lie.
  package init?(of path: String, architecture: String?, in folder: CacheFolder) {
    guard let file = Self.file(at: path), let identity = Self.identity(of: file),
      Self.isName(architecture ?? "")
    else { return nil }
    self.folder = folder
    // No digest: the library that makes one would take longer to load than the look-up takes.
    name = [
      "look-up", engineVersion, String(SymbolCache.formatVersion), identity,
      architecture ?? "any",
    ].joined(separator: "-")
  }

  /// Whether a text may be part of a file's name.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 32
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }

  /// Where caches lie unless a folder is given; `nil` where the environment names no place.
  ///
  /// Source: the XDG Base Directory Specification.
  package static var standardFolder: String? {
    if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/mayday" }
    return variable("HOME").map { $0 + "/.cache/mayday" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The cache that is kept, if it is there, and was made of other files as they are now.
  package var kept: SymbolCache? {
    if let cache = folder.cache(named: name) { return cache }
    guard let others = folder.others(of: name), let name = name(besides: others) else { return nil }
    return folder.cache(named: name)
  }

  /// The cache that is kept; where none is, what `make` compiles, which is kept.
  ///
  /// - Parameter others: The files of which it is made besides.
  package func cache(
    besides others: [String], make: () throws(ParseError) -> ByteView
  ) throws(ParseError) -> SymbolCache {
    guard !others.isEmpty else { return try folder.cache(named: name, make: make) }
    guard let name = name(besides: others) else { return try SymbolCache(opening: make()) }
    let cache = try folder.cache(named: name, make: make)
    folder.keep(others: others, of: self.name)
    return cache
  }

  /// `nil` where one of the files is not a plain file, such as a member of an archive.
  private func name(besides others: [String]) -> String? {
    // FNV-1a: what is hashed comes from the file system, not from the files.
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

  /// The regular file that `path` means: itself, or the one in a dSYM bundle.
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
    // A file that is written in the same tick of the clock has the same times: a file that was
    // changed just now is looked at again when the next change would have others.
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
