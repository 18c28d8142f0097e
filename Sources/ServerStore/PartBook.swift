public import Bytes
public import CrashModel
internal import Glibc
internal import Hashing

/// Large files that come in pieces, in any order, over as many connections and restarts as it takes.
///
///     uploads/parts-<id>/<n>    piece n, whole
///
/// The id is a digest of all that is said of the file, so that whoever begins the same upload again
/// goes on with what is there. No name of a client is ever part of a path.
public struct PartBook: Sendable {
  /// What is said of a file before it comes.
  public struct Plan: Sendable {
    /// In bytes.
    public let size: Int
    /// SHA-256 in lower-case hexadecimal digits.
    public let digest: String
    /// What else tells one upload from another.
    public let facts: [String]

    public init(size: Int, digest: String, facts: [String]) {
      self.size = size
      self.digest = digest
      self.facts = facts
    }

    public var id: String {
      let text = ([String(size), digest] + facts).map { "\($0.utf8.count):\($0)" }.joined()
      return String(SHA256.hex(of: ByteView(text.utf8)).prefix(40))
    }

    public var count: Int { (size + PartBook.partSize - 1) / PartBook.partSize }

    /// How large a piece is; `nil` where there is none of that number.
    public func size(ofPart number: Int) -> Int? {
      guard (0..<count).contains(number) else { return nil }
      return min(PartBook.partSize, size - number * PartBook.partSize)
    }
  }

  /// All pieces but the last are so large, in bytes.
  public static let partSize = 8 << 20
  /// How many files may come in pieces at a time.
  public static let limit = 256
  /// Seconds after the last piece until what came of a file is taken away.
  public static let lifetime = 24 * 3_600

  private static let prefix = "parts-"
  private let root: String

  public init(home: String) { root = home + "/uploads" }

  private func folder(_ id: String) -> String { "\(root)/\(Self.prefix)\(id)" }

  public func path(ofPart number: Int, of id: String) -> String { "\(folder(id))/\(number)" }

  /// Makes room for a file.
  ///
  /// - Returns: The pieces that are there; `nil` where too many files are on their way.
  /// - Throws: `FileError`
  public func begin(_ plan: Plan) throws(FileError) -> [Int]? {
    let path = folder(plan.id)
    if access(path, F_OK) != 0, Self.names(in: root).count(where: Self.isOwn) >= Self.limit {
      return nil
    }
    for folder in [root, path] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw FileError("make folder", path: folder)
    }
    return parts(of: plan)
  }

  /// The pieces that are there.
  public func parts(of plan: Plan) -> [Int] {
    (0..<plan.count).filter { number in
      var status = stat()
      return stat(path(ofPart: number, of: plan.id), &status) == 0
        && Int(status.st_size) == plan.size(ofPart: number)
    }
  }

  /// Puts the pieces together under `path`, if they make up the file that was announced.
  ///
  /// - Returns: Whether they do.
  /// - Throws: `FileError`
  public func join(_ plan: Plan, at path: String) throws(FileError) -> Bool {
    let output = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw FileError("open", path: path) }
    defer { close(output) }
    var hash = SHA256()
    for number in 0..<plan.count {
      let part = try ByteView(mapping: self.path(ofPart: number, of: plan.id))
      hash.update(part.bytes)
      let isWritten = part.withUnsafeBytes { bytes in
        var done = 0
        while done < bytes.count {
          let count = write(output, bytes.baseAddress?.advanced(by: done), bytes.count - done)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { return false }
          done += count
        }
        return true
      }
      guard isWritten else { throw FileError("write", path: path) }
    }
    return SHA256.hex(hash.finish()) == plan.digest
  }

  /// Takes away what came of a file.
  public func clear(_ id: String) {
    let path = folder(id)
    for name in Self.names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// Takes away what nobody went on with.
  public func clearLeftovers(now: Timestamp) {
    for name in Self.names(in: root) where Self.isOwn(name) {
      var status = stat()
      // A piece that comes changes the folder.
      guard stat(root + "/" + name, &status) == 0,
        Int(now.seconds) - status.st_mtim.tv_sec > Self.lifetime
      else { continue }
      clear(String(name.dropFirst(Self.prefix.count)))
    }
  }

  private static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
