internal import Bytes
internal import Crypto
internal import Files
internal import Glibc

/// Contents in files of their own, under their SHA-256: `ab/ab12...` as they are, `ab/ab12....zst`
/// compressed.
///
/// A file appears under its name only when it is whole and on the disk.
struct BlobFolder: Sendable {
  /// Seconds within which another process may not yet have synced the name of an existing file.
  private static let settling = 60

  let path: String

  /// Returns the path of the content of `digest`, whether it exists or not.
  func path(of digest: [UInt8], isPlain: Bool) -> String {
    let name = SHA256.hex(digest)
    return "\(path)/\(name.prefix(2))/\(name)" + (isPlain ? "" : ".zst")
  }

  /// Stores contents; when this returns, they survive a loss of power.
  ///
  /// - Returns: The digests of those that were missing or incomplete.
  /// - Throws: `FileError` when one cannot be written, such as on a full disk. Those before it may be stored
  ///   then; none is stored in part.
  @discardableResult
  func write(_ contents: [Content]) throws(FileError) -> Set<[UInt8]> {
    var waiting: [(new: NewFile, folder: String)] = []
    var folders: Set<String> = []
    var written: Set<[UInt8]> = []
    var seen: Set<String> = []
    for content in contents {
      let blobPath = path(of: content.digest, isPlain: content.isPlain)
      let folder = String(blobPath[..<(blobPath.lastIndex(of: "/") ?? blobPath.endIndex)])
      guard seen.insert(blobPath).inserted else { continue }
      var status = stat()
      // Touched, so that no process deletes it before the row that names it is there.
      if stat(blobPath, &status) == 0, isWhole(content, at: blobPath, size: Int(status.st_size)),
        utimensat(AT_FDCWD, blobPath, nil, 0) == 0
      {
        let isSettled = WallClock.seconds - status.st_ctim.tv_sec > Self.settling
        if !isSettled { folders.formUnion([folder, path]) }
        continue
      }
      let new = try NewFile(at: blobPath, in: path + "/new")
      try new.write(content.bytes, withHoles: content.bytes.count > Content.compressedLimit)
      waiting.append((new, folder))
      written.insert(content.digest)
    }
    // All are written before the first one is synced, so that the disk can combine them.
    for (new, _) in waiting { try new.sync() }
    for (new, folder) in waiting {
      if folders.insert(folder).inserted && access(folder, F_OK) != 0 {
        try Folder.make(folder)
        folders.insert(path)
      }
      try new.takeFinalName()
    }
    for folder in folders.sorted() { try Folder.sync(folder) }
    return written
  }

  /// Whether an existing file has the expected content. A debug file that was damaged on the disk is repaired
  /// by adding it again.
  private func isWhole(_ content: Content, at blobPath: String, size: Int) -> Bool {
    guard content.isPlain else { return true }
    guard size == content.bytes.count, let bytes = try? ByteView(mapping: blobPath) else {
      return false
    }
    return SHA256.digest(of: bytes) == content.digest
  }

  /// Returns the size of the file of `digest`, compressed or not; `nil` when there is none.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  func size(of digest: [UInt8]) throws(FileError) -> Int? {
    for isPlain in [false, true] {
      if let size = try size(at: path(of: digest, isPlain: isPlain)) { return size }
    }
    return nil
  }

  /// Returns the size of the file of `digest` in one form; `nil` when there is none.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  func size(of digest: [UInt8], isPlain: Bool) throws(FileError) -> Int? {
    try size(at: path(of: digest, isPlain: isPlain))
  }

  private func size(at file: String) throws(FileError) -> Int? {
    var status = stat()
    if stat(file, &status) == 0 { return Int(status.st_size) }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileError("look at", path: file) }
    return nil
  }

  /// Whether the content of `digest` is there, compressed.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  func isCompressed(_ digest: [UInt8]) throws(FileError) -> Bool {
    try size(at: path(of: digest, isPlain: false)) != nil
  }

  /// Whether the content that was stored uncompressed under `digest` is there.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  func has(_ digest: [UInt8]) throws(FileError) -> Bool {
    try size(at: path(of: digest, isPlain: true)) != nil
  }

  /// Returns the file of `digest` as it is, read or mapped.
  ///
  /// - Throws: `StoreError` when there is none; `FileError`.
  func bytes(of digest: [UInt8], isPlain: Bool) throws -> ByteView {
    let file = path(of: digest, isPlain: isPlain)
    guard try size(at: file) != nil else {
      throw StoreError.damagedBlob(path: file, reason: "the file is missing")
    }
    return try isPlain
      ? ByteView(mapping: file) : ByteView(reading: file, limit: Content.packedLimit)
  }

  /// Removes the leftovers of processes that died while writing.
  func removeLeftovers() { HomeFolder.removeLeftovers(in: path + "/new") }
}
