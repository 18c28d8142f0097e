internal import Bytes
internal import CrashService
internal import Files
internal import Glibc
internal import HTTP
internal import ServerCore
internal import Uploads

/// The pieces of an upload so far, in its folder.
struct UploadPieces {
  let context: ServerContext

  /// Stores a body, replacing one of the same name; of two concurrent ones the later wins.
  ///
  /// - Parameter request: The id of the request.
  /// - Returns: A refusal if a limit would be exceeded.
  func keep(
    _ file: SpooledFile, at path: String, of id: String, isBlock: Bool, _ request: String
  ) throws -> UploadRefusal? {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let more = (
      bytes: file.count - (isThere ? Int(status.st_size) : 0), blocks: isBlock && !isThere ? 1 : 0
    )
    do {
      try context.uploads.take(bytes: more.bytes, blocks: more.blocks, for: id)
    } catch let refusal as UploadRefusal {
      return refusal
    }
    let new = path + "." + request
    do {
      guard try file.keep(at: new) else { throw FileError("write", path: path, code: EEXIST) }
      // The file is synced when the upload is committed.
      try Folder.rename(new, to: path)
    } catch {
      unlink(new)
      try context.uploads.take(bytes: -more.bytes, blocks: -more.blocks, for: id)
      throw error
    }
    return nil
  }

  /// Why pieces cannot be joined.
  enum JoinFailure {
    /// The piece with this index was never sent.
    case missing(Int)
    case tooLarge
  }

  /// Joins pieces to a file, which is created completely or not at all.
  func join(_ pieces: [String], to path: String, limit: Int) throws -> JoinFailure? {
    // The file is synced when the upload is committed.
    let new = try NewFile(at: path, .renewable)
    var total = 0
    for (index, piece) in pieces.enumerated() {
      guard let input = try? OpenFile.opening(piece, followsLinks: false) else {
        return .missing(index)
      }
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
}
