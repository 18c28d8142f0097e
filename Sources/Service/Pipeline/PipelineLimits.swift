internal import Bytes
internal import CrashInput

/// Limits of the pipeline's concurrent work.
enum PipelineLimits {
  /// The bytes of files being read or waiting for it, for each thread; a larger file waits until it is alone.
  private static let bytesOfThread = 32 << 20
  /// The number of reports that are stored together, with one sync of the disk; a batch of this size is full.
  static let reportsInBatch = 512
  /// The approximate bytes of memory of what waits to be stored together; another batch is being written
  /// meanwhile.
  static let bytesInBatch = 12 << 20
  /// The decompressed bytes of the logs of one request.
  static let unpackedLogs = 64 << 20

  /// The bytes of files being read by `width` threads, or waiting for it.
  static func bytesInFlight(width: Int) -> Int { max(width, 1) * bytesOfThread }
}

extension InputFile {
  /// The number of bytes it holds in memory.
  var byteCount: Int {
    guard case .success(let bytes) = content else { return 0 }
    return bytes.count
  }
}
