internal import Bytes
internal import Compression
internal import Synchronization

/// Takes a body as it arrives. Used by one thread at a time.
protocol BodyCollector: AnyObject {
  /// Bytes that it holds in memory.
  var held: Int { get }
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// What was collected, once.
  func finish() throws -> BodyContent
}

/// How much of the memory for bodies is taken, by all requests of a server.
final class BodyBudget: Sendable {
  private let taken = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func take(_ count: Int) throws(HTTPError) {
    let isTaken = taken.withLock { taken in
      guard count <= limit - taken else { return false }
      taken += count
      return true
    }
    guard isTaken else {
      throw .refused(.serviceUnavailable, "The server holds too many bodies at the moment.")
    }
  }

  func giveBack(_ count: Int) { taken.withLock { $0 -= count } }

  var isExhausted: Bool { taken.withLock { $0 >= limit } }
}

final class MemoryCollector: BodyCollector {
  private var bytes: [UInt8] = []
  private let limit: Int
  private(set) var held = 0

  init(limit: Int, announced: UInt64?) {
    self.limit = limit
    bytes.reserveCapacity(min(Int(clamping: announced ?? 0), limit, 64 << 10))
  }

  func write(_ piece: UnsafeRawBufferPointer) throws {
    guard piece.count <= limit - bytes.count else { throw tooLarge(limit) }
    bytes.append(contentsOf: piece)
    held += piece.count
  }

  func finish() -> BodyContent {
    defer { bytes = [] }
    return .bytes(ByteView(bytes))
  }
}

final class FileCollector: BodyCollector {
  let held = 0
  private let file: SpooledFile

  init(folder: String) throws { file = try SpooledFile(in: folder) }

  func write(_ piece: UnsafeRawBufferPointer) throws { try file.write(piece) }

  func finish() -> BodyContent {
    file.finish()
    return .file(file)
  }
}

/// Drops what comes.
final class NoCollector: BodyCollector {
  let held = 0
  func write(_ bytes: UnsafeRawBufferPointer) {}
  func finish() -> BodyContent { .none }
}

/// Undoes a `Content-Encoding` before another collector.
final class InflatingCollector: BodyCollector {
  private let inflater: StreamInflater
  private let next: any BodyCollector
  /// The decoder's own buffers count too.
  var held: Int { next.held + (128 << 10) }

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
    case .damaged: .refused(.badRequest, "The body cannot be decoded: \(error).")
    case .noMemory: .refused(.serviceUnavailable, "\(error).")
    }
  }
}

func tooLarge(_ limit: Int) -> HTTPError {
  .refused(.contentTooLarge, "The body is larger than the limit of \(limit) bytes.")
}
