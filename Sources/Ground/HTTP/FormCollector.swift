internal import Bytes
internal import CMicrohttpd
internal import Glibc

/// Splits `multipart/form-data` with libmicrohttpd's parser.
///
/// The parser lives as long as the request: it reads the request's headers.
final class FormCollector: BodyCollector {
  private struct Part {
    let name: String
    let fileName: String?
    let contentType: String?
    var bytes: [UInt8] = []
    var file: SpooledFile?
  }

  private let limits: MultipartLimits
  private let folder: String
  private var reader: OpaquePointer?
  private var parts: [FormPart] = []
  private var part: Part?
  private var failure: (any Error)?
  private var count = 0
  /// The bytes of all small parts, in memory.
  private(set) var held = 0
  /// The bytes of all large parts, in files.
  private(set) var spooled = 0

  init(_ connection: OpaquePointer?, limits: MultipartLimits, folder: String) throws {
    self.limits = limits
    self.folder = folder
    let context = Unmanaged.passUnretained(self).toOpaque()
    reader = MHD_create_post_processor(connection, 16 << 10, takeFormPiece, context)
    guard reader != nil else {
      throw HTTPError.refused(.badRequest, "The form has no usable boundary.", code: .invalidBody)
    }
  }

  deinit {
    if let reader { MHD_destroy_post_processor(reader) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    count += bytes.count
    guard count <= limits.inflated.bytes else { throw tooLarge(limits.inflated.bytes) }
    let text = bytes.assumingMemoryBound(to: CChar.self)
    let isRead = MHD_post_process(reader, text.baseAddress, bytes.count) == .YES
    if let failure { throw failure }
    guard isRead else {
      throw HTTPError.refused(.badRequest, "The form is damaged.", code: .invalidBody)
    }
  }

  func finish() throws -> BodyContent {
    if let reader {
      self.reader = nil
      let isWhole = MHD_destroy_post_processor(reader) == .YES
      if let failure { throw failure }
      guard isWhole else {
        throw HTTPError.refused(.badRequest, "The form ends early.", code: .invalidBody)
      }
    }
    closePart()
    defer { parts = [] }
    return .parts(parts)
  }

  /// Takes a chunk of a part; the first chunk begins a new part.
  fileprivate func take(
    name: String, fileName: String?, contentType: String?, piece: UnsafeRawBufferPointer,
    isFirst: Bool
  ) -> Bool {
    do {
      if isFirst {
        closePart()
        guard parts.count < limits.parts else {
          throw HTTPError.refused(
            .contentTooLarge, "The form has more than \(limits.parts) parts.")
        }
        for text in [name, fileName ?? "", contentType ?? ""]
        where text.utf8.count > limits.nameLength {
          throw HTTPError.refused(
            .contentTooLarge, "A name in the form is longer than \(limits.nameLength) bytes.")
        }
        part = Part(name: name, fileName: fileName, contentType: contentType)
      }
      try append(piece)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func append(_ piece: UnsafeRawBufferPointer) throws {
    if let file = part?.file {
      spooled += piece.count
      return try file.write(piece)
    }
    let size = (part?.bytes.count ?? 0) + piece.count
    // Many small parts must not use more memory than one large part may.
    guard size > limits.inMemory.bytes || held + piece.count > 16 * limits.inMemory.bytes else {
      part?.bytes.append(contentsOf: piece)
      held += piece.count
      return
    }
    guard parts.count(where: { if case .file = $0.content { true } else { false } }) < 64 else {
      throw HTTPError.refused(.contentTooLarge, "The form has more than 64 large parts.")
    }
    let file = try SpooledFile(in: folder)
    try part?.bytes.withUnsafeBytes { try file.write($0) }
    try file.write(piece)
    spooled += size
    held -= part?.bytes.count ?? 0
    part?.bytes = []
    part?.file = file
  }

  private func closePart() {
    guard let part else { return }
    self.part = nil
    part.file?.finish()
    parts.append(
      FormPart(
        name: part.name, fileName: part.fileName, contentType: part.contentType,
        content: part.file.map { .file($0) } ?? .bytes(ByteView(part.bytes))))
  }
}

private func takeFormPiece(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ key: UnsafePointer<CChar>?,
  _ fileName: UnsafePointer<CChar>?, _ contentType: UnsafePointer<CChar>?,
  _ encoding: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ offset: UInt64,
  _ size: Int
) -> MHD_Result {
  guard let context else { return .NO }
  let form = Unmanaged<FormCollector>.fromOpaque(context).takeUnretainedValue()
  let isTaken = form.take(
    name: key.map { String(cString: $0) } ?? "", fileName: fileName.map { String(cString: $0) },
    contentType: contentType.map { String(cString: $0) },
    piece: UnsafeRawBufferPointer(start: data, count: size), isFirst: offset == 0)
  return isTaken ? .YES : .NO
}
