internal import CrashInput
internal import Bytes

/// The work that the pipeline takes on at a time.
enum PipelineLimits {
  /// Bytes of the files that are being read or wait for it; a larger file waits until it is alone.
  static let bytesInFlight = 256 << 20
  /// Compressed bytes that wait to be stored together; with this many the batch is full.
  static let bytesInBatch = 64 << 20
  /// Bytes of the logs of one request, unpacked.
  static let unpackedLogs = 64 << 20
}

extension InputFile {
  /// The bytes that it holds in memory.
  var byteCount: Int {
    guard case .success(let bytes) = content else { return 0 }
    return bytes.count
  }
}
