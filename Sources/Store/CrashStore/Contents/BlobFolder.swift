internal import Bytes
internal import Files
internal import Glibc
internal import Hashing

/// Contents in files of their own, under their SHA-256: `ab/ab12...` as they are, `ab/ab12....zst`
/// compressed.
///
/// A file appears under its name only when it is whole and on the disk.
struct BlobFolder: Sendable {
  /// Seconds within which another process may still be about to sync the name of a file that is
  /// there.
  private static let settling = 60

  let path: String

  /// Where the content of `digest` lies, or would lie.
  func path(of digest: [UInt8], isPlain: Bool) -> String {
    let name = SHA256.hex(digest)
    return "\(path)/\(name.prefix(2))/\(name)" + (isPlain ? "" : ".zst")
  }

  /// Stores contents; when this returns, they survive a loss of power.
  ///
  /// - Returns: The digests of those that were not there, or not whole.
  /// - Throws: `FileError` when one cannot be written, such as on a full disk. Those before it may
  ///   be there; nothing is there in part.
  @discardableResult
  func write(_ contents: [Content]) throws(FileError) -> Set<[UInt8]> {
    var waiting: [(new: NewFile, folder: String)] = []
    var folders: Set<String> = []
    var written: Set<[UInt8]> = []
    var seen: Set<String> = []
    for content in contents {
      let place = path(of: content.digest, isPlain: content.isPlain)
      let folder = String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)])
      guard seen.insert(place).inserted else { continue }
      var status = stat()
      // Touched, so that nobody takes it away before the row that names it is there.
      if stat(place, &status) == 0, isWhole(content, at: place, size: Int(status.st_size)),
        utimensat(AT_FDCWD, place, nil, 0) == 0
      {
        let isSettled = WallClock.seconds - status.st_ctim.tv_sec > Self.settling
        if !isSettled { folders.formUnion([folder, path]) }
        continue
      }
      let new = try NewFile(at: place, in: path + "/new")
      try new.write(content.bytes, withHoles: content.bytes.count > Content.compressedLimit)
      waiting.append((new, folder))
      written.insert(content.digest)
    }
    // All are written before the first is waited for, so that the disk can take them together.
    for (new, _) in waiting { try new.sync() }
    for (new, folder) in waiting {
      if folders.insert(folder).inserted && access(folder, F_OK) != 0 {
        try Folder.make(folder)
        folders.insert(path)
      }
      try new.takePlace()
    }
    for folder in folders.sorted() { try Folder.sync(folder) }
    return written
  }

  /// Whether a file that is there has what belongs in it. A debug file that was damaged on the disk is
  /// mended by adding it again.
  private func isWhole(_ content: Content, at place: String, size: Int) -> Bool {
    guard content.isPlain else { return true }
    guard size == content.bytes.count, let bytes = try? ByteView(mapping: place) else {
      return false
    }
    return SHA256.digest(of: bytes) == content.digest
  }

  /// The size of the file of `digest`, compressed or not; `nil` when there is none.
  ///
  /// - Throws: `FileError` where that cannot be told.
  func size(of digest: [UInt8]) throws(FileError) -> Int? {
    for isPlain in [false, true] {
      if let size = try size(at: path(of: digest, isPlain: isPlain)) { return size }
    }
    return nil
  }

  /// The size of the file of `digest` in one form; `nil` when there is none.
  ///
  /// - Throws: `FileError` where that cannot be told.
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
  /// - Throws: `FileError` where that cannot be told.
  func isCompressed(_ digest: [UInt8]) throws(FileError) -> Bool {
    try size(at: path(of: digest, isPlain: false)) != nil
  }

  /// Whether the content that was kept as it is under `digest` is there.
  ///
  /// - Throws: `FileError` where that cannot be told.
  func has(_ digest: [UInt8]) throws(FileError) -> Bool {
    try size(at: path(of: digest, isPlain: true)) != nil
  }

  /// The file of `digest` as it is, read or mapped.
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

  /// Removes what a process left that died while it wrote.
  func removeLeftovers() { HomeFolder.removeLeftovers(in: path + "/new") }
}
