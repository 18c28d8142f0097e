public import Bytes
internal import Files

/// This program once more, reading one file from outside in a ``Sandbox``. What it writes is not
/// trusted.
public struct SandboxedChild: ~Copyable {
  /// Why nothing more comes.
  public enum Failure: Error, Equatable {
    /// The time is over.
    case late
    /// It has closed its output: how it ended, in words.
    case ended(String)
  }

  private let process: ChildProcess
  private let output: OpenFile
  /// Nanoseconds that may still be spent waiting for its output.
  public var patience: Int64

  /// - Parameters:
  ///   - arguments: The first is what it is called.
  ///   - program: Its path; this program unless given.
  ///   - input: The descriptor that becomes its standard input; it stays the caller's.
  /// - Throws: `FileError` with the system's reason.
  public init(
    _ arguments: [String], program: String = "/proc/self/exe", input: Int32, patience: Int64
  ) throws(FileError) {
    let pipe = try OpenFile.pipe()
    process = try ChildProcess(
      arguments, program: program, input: input, output: pipe.writing.number, surroundings: .none)
    output = pipe.reading
    self.patience = patience
  }

  /// Waits for output, and reads it into `buffer`, after the first `start` bytes of it.
  ///
  /// - Returns: How many bytes came; never none.
  public mutating func read(
    into buffer: inout [UInt8], from start: Int = 0
  ) throws(Failure) -> Int {
    guard output.waitToRead(within: &patience) else { throw .late }
    let count = (try? output.read(into: &buffer, from: start, name: "pipe")) ?? 0
    guard count > 0 else {
      throw .ended(process.end()?.description ?? "stopped answering")
    }
    return count
  }

  /// Everything that it writes, from the beginning.
  ///
  /// - Parameter limit: The most bytes.
  /// - Returns: `nil` where that is too much, comes too late, or the process did not end with 0.
  public mutating func all(limit: Int) -> [UInt8]? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while text.count < limit {
      guard output.waitToRead(within: &patience),
        let count = try? output.read(into: &buffer, name: "pipe")
      else { return nil }
      if count == 0 { return process.wait().code == 0 ? text : nil }
      text += buffer[..<count]
    }
    return nil
  }
}
