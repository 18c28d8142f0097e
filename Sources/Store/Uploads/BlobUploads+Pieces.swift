public import Bytes
internal import Crypto
internal import Files
internal import Glibc
internal import ServerStore

/// The data that uploads have received so far.
///
///     uploads/<id>/blob             the data, once it is complete
///     uploads/<id>/block-<digest>   a block, with a digest of its id
///     uploads/<id>/chunk-<n>        a chunk
///     uploads/<id>/joined-<digest>  a list of blocks that were joined, with a digest of it
extension BlobUploads {
  /// A piece of the data of an upload, or all of it.
  public enum Piece: Hashable, Sendable {
    /// The data, once it is complete.
    case blob
    /// A block with an id that its sender chose.
    case block(String)
    /// A chunk, counted from 1.
    case chunk(Int)

    fileprivate var fileName: String {
      switch self {
      case .blob: return "blob"
      case .block(let id):
        // Ids are base64, whose plus signs some clients do not encode.
        let bytes = id.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
        return "block-" + SHA256.hex(of: ByteView(bytes))
      case .chunk(let number): return "chunk-\(number)"
      }
    }
  }

  func path(of piece: Piece, of id: String) -> String { folder(of: id) + "/" + piece.fileName }

  /// The size of a piece in bytes; `nil` if it was not received.
  public func size(of piece: Piece, of id: String) -> Int? {
    var status = stat()
    return stat(path(of: piece, of: id), &status) == 0 ? Int(status.st_size) : nil
  }

  /// Stores a piece, replacing the same one; of two concurrent ones the later wins.
  ///
  /// - Parameters:
  ///   - request: The id of the request.
  ///   - make: Creates the file at a path on the same file system as the scratch space; returns `false` where
  ///     it exists.
  /// - Throws: ``UploadRefusal`` if a limit would be exceeded.
  public func keep(
    _ piece: Piece, of id: String, size: Int, request: String, _ make: (String) throws -> Bool
  ) throws {
    let path = path(of: piece, of: id)
    let old = self.size(of: piece, of: id)
    let more = (bytes: size - (old ?? 0), blocks: piece != .blob && old == nil ? 1 : 0)
    try take(bytes: more.bytes, blocks: more.blocks, for: id)
    let new = path + "." + request
    do {
      guard try make(new) else { throw FileError("write", path: path, code: EEXIST) }
      // The file is synced when the upload is committed.
      try Folder.rename(new, to: path)
    } catch {
      unlink(new)
      try take(bytes: -more.bytes, blocks: -more.blocks, for: id)
      throw error
    }
  }

  /// Stores the complete data of an upload, if it is small.
  public func write(_ bytes: ByteView, of id: String) throws {
    // The file is synced when the upload is committed.
    try NewFile.write(bytes, to: path(of: .blob, of: id), .renewable)
  }

  /// The reason why pieces cannot be joined.
  public enum JoinFailure: Sendable {
    /// The piece with this index was never sent.
    case missing(Int)
    case tooLarge
  }

  /// Joins blocks to the data, which is created completely or not at all.
  ///
  /// - Returns: Why that is impossible; `nil` also for a list of blocks that was joined before.
  public func join(blocks: [String], of id: String, limit: Int) throws -> JoinFailure? {
    let digest = SHA256.hex(of: ByteView(blocks.joined(separator: "\n").utf8))
    let joined = "\(folder(of: id))/joined-\(digest)"
    let pieces = blocks.map { Piece.block($0) }
    if let failure = try copy(pieces, of: id, limit: limit) {
      // A client that got no answer sends its list again.
      if case .missing = failure, blob(of: id) != nil, access(joined, F_OK) == 0 { return nil }
      return failure
    }
    try? OpenFile.makeUnlessThere(joined)
    remove(pieces, of: id)
    return nil
  }

  /// Joins the chunks 1 to `count` to the data, which is created completely or not at all.
  ///
  /// - Returns: Why that is impossible.
  public func join(chunks count: Int, of id: String, limit: Int) throws -> JoinFailure? {
    let pieces = (1...count).map { Piece.chunk($0) }
    if let failure = try copy(pieces, of: id, limit: limit) { return failure }
    remove(pieces, of: id)
    return nil
  }

  private func copy(_ pieces: [Piece], of id: String, limit: Int) throws -> JoinFailure? {
    let path = path(of: .blob, of: id)
    // The file is synced when the upload is committed.
    let new = try NewFile(at: path, .renewable)
    var total = 0
    for (index, piece) in pieces.enumerated() {
      guard
        let input = try? OpenFile.opening(self.path(of: piece, of: id), followsLinks: false)
      else { return .missing(index) }
      while true {
        let count = sendfile(new.file.number, input.number, nil, 1 << 30)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw FileError("write", path: path) }
        if count == 0 { break }
        total += count
        guard total <= limit else { return .tooLarge }
      }
    }
    try new.finish()
    return nil
  }

  private func remove(_ pieces: [Piece], of id: String) {
    for piece in Set(pieces) { unlink(path(of: piece, of: id)) }
  }
}
