internal import Bytes
internal import Compression

/// Receives a body as it arrives. Used by one thread at a time.
protocol BodyCollector: AnyObject {
  /// Bytes that it holds in memory.
  var held: Int { get }
  /// Bytes that it holds in files.
  var spooled: Int { get }
  /// Moves what it holds in memory to a file, if it can.
  func spill() throws
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Returns the collected body; called once.
  func finish() throws -> BodyContent
}

extension BodyCollector {
  var spooled: Int { 0 }
  func spill() throws {}
}

/// Keeps a small body in memory and a large one in a file, which is mapped once it is complete: handlers see
/// bytes in both cases.
final class BytesCollector: BodyCollector {
  private var bytes: [UInt8] = []
  private var file: SpooledFile?
  private let limit: Int
  private let inMemory: Int
  private let folder: String

  /// - Parameters:
  ///   - inMemory: A larger body goes to a file.
  ///   - folder: The folder for files.
  init(limit: Int, announced: UInt64?, inMemory: Int, folder: String) {
    self.limit = limit
    self.inMemory = inMemory
    self.folder = folder
    bytes.reserveCapacity(min(Int(clamping: announced ?? 0), limit, inMemory, 64 << 10))
  }

  var held: Int { bytes.count }
  var spooled: Int { file?.count ?? 0 }

  func write(_ piece: UnsafeRawBufferPointer) throws {
    guard piece.count <= limit - bytes.count - spooled else { throw tooLarge(limit) }
    if file == nil, piece.count > inMemory - bytes.count { try spill() }
    if let file { return try file.write(piece) }
    bytes.append(contentsOf: piece)
  }

  func spill() throws {
    guard file == nil else { return }
    let file = try SpooledFile(in: folder, isHashed: false)
    try bytes.withUnsafeBytes { try file.write($0) }
    bytes = []
    self.file = file
  }

  func finish() throws -> BodyContent {
    defer { bytes = [] }
    guard let file else { return .bytes(ByteView(bytes)) }
    do {
      // It cannot shrink: only this process has it, and it is complete. The mapping keeps it alive.
      return .bytes(try ByteView(mapping: file.path))
    } catch {
      throw HTTPError.spool(error.code)
    }
  }
}

final class FileCollector: BodyCollector {
  let held = 0
  var spooled: Int { file.count }
  private let file: SpooledFile

  init(folder: String) throws { file = try SpooledFile(in: folder) }

  func write(_ piece: UnsafeRawBufferPointer) throws { try file.write(piece) }

  func finish() -> BodyContent {
    file.finish()
    return .file(file)
  }
}

/// Drops the body.
final class NoCollector: BodyCollector {
  let held = 0
  func write(_ bytes: UnsafeRawBufferPointer) {}
  func finish() -> BodyContent { .none }
}

/// Decodes a `Content-Encoding` before another collector.
final class InflatingCollector: BodyCollector {
  private let inflater: StreamInflater
  private let next: any BodyCollector
  /// The decoder's own buffers count too.
  var held: Int { next.held + (128 << 10) }
  var spooled: Int { next.spooled }
  func spill() throws { try next.spill() }

  init(
    _ format: StreamInflater.Format, limit: Int, ratio: Int, next: any BodyCollector
  ) throws {
    inflater = try StreamInflater(format, limit: limit, ratio: ratio)
    self.next = next
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    do {
      try inflater.write(bytes) { try next.write($0) }
    } catch let error as CompressionError {
      throw Self.refusal(error)
    }
  }

  func finish() throws -> BodyContent {
    do {
      try inflater.finish()
    } catch {
      throw Self.refusal(error)
    }
    return try next.finish()
  }

  private static func refusal(_ error: CompressionError) -> HTTPError {
    switch error {
    case .tooLarge: .refused(.contentTooLarge, "The decoded body is too large: \(error).")
    case .damaged:
      .refused(.badRequest, "The body cannot be decoded: \(error).", code: .invalidBody)
    case .noMemory: .refused(.serviceUnavailable, "\(error).")
    }
  }
}

func tooLarge(_ limit: Int) -> HTTPError {
  .refused(.contentTooLarge, "The body is larger than the limit of \(limit) bytes.")
}
