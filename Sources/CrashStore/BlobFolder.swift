internal import Bytes
internal import Compression
internal import Glibc
internal import Hashing

/// Contents filed under their own SHA-256: `ab/ab12...` as they are, `ab/ab12....zst` compressed.
///
/// The same content has one file, however often it is stored. A file appears under its name only
/// when it is whole and on the disk.
struct BlobFolder: Sendable {
  /// The most bytes that a compressed blob may have when it is read back: as many as the largest
  /// submission.
  static let limit = 1 << 30

  /// A content on its way to the disk.
  struct Blob: Sendable {
    let digest: [UInt8]
    /// What is written: compressed, unless ``isPlain``.
    let bytes: ByteView
    /// Kept as it is, so that it can be mapped.
    let isPlain: Bool

    /// - Throws: `CompressionError` when memory is short.
    init(compressing content: ByteView) throws(CompressionError) {
      digest = SHA256.digest(of: content)
      bytes = try Zstandard.compress(content)
      isPlain = false
    }

    init(keeping content: ByteView, digest: [UInt8]) {
      self.digest = digest
      bytes = content
      isPlain = true
    }
  }

  /// Seconds within which another process may still be about to sync the name of a file that is
  /// there.
  private static let settling = 60

  let path: String

  /// Where the content of `digest` lies, or would lie.
  func path(of digest: [UInt8], isPlain: Bool) -> String {
    let name = SHA256.hex(digest)
    return "\(path)/\(name.prefix(2))/\(name)" + (isPlain ? "" : ".zst")
  }

  func holds(_ digest: [UInt8], isPlain: Bool) -> Bool {
    access(path(of: digest, isPlain: isPlain), F_OK) == 0
  }

  /// Stores contents; when this returns, they survive a loss of power.
  ///
  /// - Throws: `FileError` when one cannot be written, such as on a full disk. Those before it may
  ///   be there; nothing is there in part.
  func write(_ blobs: [Blob]) throws(FileError) {
    var waiting: [(new: OpenTemporary, place: String, folder: String)] = []
    var folders: Set<String> = []
    var seen: Set<String> = []
    for blob in blobs {
      let place = path(of: blob.digest, isPlain: blob.isPlain)
      let folder = String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)])
      guard seen.insert(place).inserted else { continue }
      var status = stat()
      if stat(place, &status) == 0 {
        let isSettled = time(nil) - status.st_ctim.tv_sec > Self.settling
        if !isSettled { folders.formUnion([folder, path]) }
        continue
      }
      let new = try OpenTemporary(in: path)
      try new.write(blob.bytes)
      waiting.append((new, place, folder))
    }
    // All are written before the first is waited for, so that the disk can take them together.
    for (new, _, _) in waiting { try new.sync() }
    for (new, place, folder) in waiting {
      if folders.insert(folder).inserted && access(folder, F_OK) != 0 {
        try HomeFolder.make(folder)
        folders.insert(path)
      }
      try new.rename(to: place)
    }
    for folder in folders.sorted() { try Self.sync(folder: folder) }
  }

  /// The content that was stored compressed under `digest`.
  ///
  /// - Throws: `StoreError` when it is missing or not what was stored.
  func read(_ digest: [UInt8]) throws -> ByteView {
    let file = path(of: digest, isPlain: false)
    guard access(file, F_OK) == 0 else {
      throw StoreError.damagedBlob(path: file, reason: "the file is missing")
    }
    let packed = try ByteView(reading: file, limit: Self.limit)
    let content: ByteView
    do {
      content = try Zstandard.decompress(packed, limit: Self.limit)
    } catch {
      throw StoreError.damagedBlob(path: file, reason: error.description)
    }
    try check(content, digest, at: file)
    return content
  }

  /// The content that was stored as it is under `digest`, mapped.
  ///
  /// - Parameter isChecked: Whether to compute its digest again, which reads all of it.
  /// - Throws: `StoreError` when it is missing, or checked and not what was stored.
  func map(_ digest: [UInt8], isChecked: Bool) throws -> ByteView {
    let file = path(of: digest, isPlain: true)
    guard access(file, F_OK) == 0 else {
      throw StoreError.damagedBlob(path: file, reason: "the file is missing")
    }
    let content = try ByteView(mapping: file)
    if isChecked { try check(content, digest, at: file) }
    return content
  }

  private func check(_ content: ByteView, _ digest: [UInt8], at file: String) throws {
    guard SHA256.digest(of: content) == digest else {
      throw StoreError.damagedBlob(path: file, reason: "its SHA-256 is another")
    }
  }

  /// Removes what a process left that died while it wrote.
  ///
  /// - Parameter age: Seconds after which no process still writes.
  func removeLeftovers(olderThan age: Int = 86_400) {
    let folder = path + "/new"
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let now = time(nil)
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard !name.hasPrefix("."), stat("\(folder)/\(name)", &status) == 0,
        now - status.st_mtim.tv_sec > age
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  private static func sync(folder: String) throws(FileError) {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("open", path: folder) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw FileError("sync", path: folder) }
  }
}

/// A file that has no name of its own yet; removed unless it gets one.
private final class OpenTemporary {
  private let path: String
  private let file: Int32
  private var isRenamed = false

  init(in folder: String) throws(FileError) {
    path = "\(folder)/new/\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("make", path: path) }
  }

  func write(_ bytes: ByteView) throws(FileError) {
    let failure: FileError? = bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return FileError("write", path: path) }
        done += count
      }
      return nil
    }
    if let failure { throw failure }
  }

  func sync() throws(FileError) {
    guard fdatasync(file) == 0 else { throw FileError("sync", path: path) }
  }

  func rename(to place: String) throws(FileError) {
    guard Glibc.rename(path, place) == 0 else { throw FileError("rename", path: path) }
    isRenamed = true
  }

  deinit {
    close(file)
    if !isRenamed { unlink(path) }
  }
}
