internal import Bytes
internal import ChildProcess
internal import Files

/// The child, seen from outside. What it says is not trusted.
struct ReferenceProcess: ~Copyable {
  private var child: SandboxedChild
  private let limits: ReferenceLimits
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var start = 0
  private var end = 0

  /// Starts `program` for the file at `path`.
  init(path: String, program: String, limits: ReferenceLimits) throws(ReferenceReaderError) {
    let file: OpenFile
    do {
      file = try OpenFile.opening(path).movedUp()
    } catch {
      throw .file(error)
    }
    do throws(FileError) {
      child = try SandboxedChild(
        ["mayday", ReferenceChild.subcommand, String(limits.childBytes), String(limits.seconds)],
        program: program, input: file.number, patience: Int64(limits.seconds) * 1_000_000_000)
    } catch {
      throw .cannotStart(error.description)
    }
    self.limits = limits
  }

  mutating func byte() throws(ReferenceReaderError) -> UInt8 {
    if start == end { try fill() }
    start += 1
    return buffer[start - 1]
  }

  mutating func number() throws(ReferenceReaderError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 64 else { throw .wrongAnswer("a number of more than 64 bits") }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// A text's bytes, appended to `bytes`; its length.
  mutating func text(into bytes: inout Table<UInt8>) throws(ReferenceReaderError) -> Int {
    let count = try number()
    guard count <= UInt64(limits.nameLength) else {
      throw .wrongAnswer("a text of \(count) bytes")
    }
    for _ in 0..<count { bytes.append(try byte()) }
    return Int(count)
  }

  private mutating func fill() throws(ReferenceReaderError) {
    do throws(SandboxedChild.Failure) {
      end = try child.read(into: &buffer)
      start = 0
    } catch {
      switch error {
      case .late: throw .limit("seconds", limits.seconds)
      case .ended(let how): throw .died(how)
      }
    }
  }
}
