internal import HTTP
internal import Uploads

extension BlobUploads {
  /// Stores the body of a request as a piece.
  ///
  /// - Throws: ``UploadRefusal`` if a limit would be exceeded.
  func keep(_ piece: Piece, of id: String, _ file: SpooledFile, _ request: Request) throws {
    try keep(piece, of: id, size: file.count, request: request.id) { try file.keep(at: $0) }
  }
}
