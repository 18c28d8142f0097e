internal import Bytes

/// Output of unknown size: grows in chunks up to a limit.
struct GrowingOutput {
  private let format: String
  private let limit: Int
  private var bytes: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  init(format: String, limit: Int) {
    self.format = format
    self.limit = limit
  }

  /// Lets `fill` write the next chunk and keeps what it wrote.
  ///
  /// - Parameter fill: Returns a result of its own and how many bytes it wrote.
  /// - Throws: The error of `fill`, or ``CompressionError/tooLarge(format:size:limit:)``.
  mutating func step<Answer>(
    _ fill: (UnsafeMutableRawBufferPointer) throws(CompressionError) -> (Answer, Int)
  ) throws(CompressionError) -> (Answer, Int) {
    let outcome: Result<(Answer, Int), CompressionError> = chunk.withUnsafeMutableBytes { buffer in
      do throws(CompressionError) {
        return .success(try fill(buffer))
      } catch {
        return .failure(error)
      }
    }
    let (answer, count) = try outcome.get()
    guard count <= limit - bytes.count else {
      throw .tooLarge(format: format, size: nil, limit: limit)
    }
    bytes.append(contentsOf: chunk[..<count])
    return (answer, count)
  }

  var view: ByteView { ByteView(bytes) }
}
