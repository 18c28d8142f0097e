internal import Bytes
internal import CrashInput

/// Limits of the pipeline's concurrent work.
enum PipelineLimits {
  /// The bytes of files being read or waiting for it; a larger file waits until it is alone.
  static let bytesInFlight = 256 << 20
  /// Compressed bytes that wait to be stored together; a batch of this size is full.
  static let bytesInBatch = 64 << 20
  /// The decompressed bytes of the logs of one request.
  static let unpackedLogs = 64 << 20
}

extension InputFile {
  /// The number of bytes it holds in memory.
  var byteCount: Int {
    guard case .success(let bytes) = content else { return 0 }
    return bytes.count
  }
}
