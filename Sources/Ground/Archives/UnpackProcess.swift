internal import Bytes
internal import ChildProcess
internal import Files
internal import Glibc

/// A running unpacker, seen from outside. What it says is not trusted: every frame is checked.
struct UnpackProcess: ~Copyable {
  /// A frame whose payload lies in the process's buffer until the next one is read.
  struct Frame {
    let kind: UnpackFrame
    let payload: Range<Int>
  }

  private var child: SandboxedChild
  private let archive: String
  /// The limit that its patience came from, for the error.
  private let seconds: Int
  private var buffer = [UInt8](
    repeating: 0, count: 4 * (UnpackFrame.headerSize + UnpackFrame.limit))
  private var start = 0
  private var end = 0
  /// Nanoseconds that may still be spent waiting for answers.
  var patience: Int64 {
    get { child.patience }
    set { child.patience = newValue }
  }

  /// Starts the program for the open `file`.
  ///
  /// - Parameters:
  ///   - archive: The name of the archive in errors.
  ///   - program: The path of the program.
  ///   - count: How many members to pass over.
  ///   - patience: Nanoseconds that may be spent waiting for answers.
  ///   - seconds: The limit that the patience came from.
  init(
    reading file: borrowing OpenFile, archive: String, program: String, limits: ArchiveLimits,
    passingOver count: Int = 0, patience: Int64, seconds: Int
  ) throws(ArchiveError) {
    // The position is shared with the process that read before.
    lseek(file.number, 0, SEEK_SET)
    do throws(FileError) {
      child = try SandboxedChild(
        [
          "mayday", UnpackChild.subcommand, String(limits.memberBytes),
          String(limits.unpackerBytes), String(seconds), String(count),
          String(limits.largestMember),
        ], program: program, input: file.number, patience: patience)
    } catch {
      throw ArchiveError(.cannotStart(error.description), in: archive)
    }
    self.archive = archive
    self.seconds = seconds
  }

  /// The next frame.
  ///
  /// - Throws: ``ArchiveError`` when the process wrote something else, ended before its last frame,
  ///   or took too long.
  mutating func next() throws(ArchiveError) -> Frame {
    try fill(UnpackFrame.headerSize)
    let count =
      Int(buffer[start + 1]) | Int(buffer[start + 2]) << 8 | Int(buffer[start + 3]) << 16
      | Int(buffer[start + 4]) << 24
    guard let kind = UnpackFrame(rawValue: buffer[start]), count <= UnpackFrame.limit else {
      throw wrongAnswer("no frame begins with \(buffer[start]), \(count)")
    }
    try fill(UnpackFrame.headerSize + count)
    let payload = start + UnpackFrame.headerSize
    start = payload + count
    return Frame(kind: kind, payload: payload..<start)
  }

  /// The payload of the last frame that was read.
  borrowing func bytes(of frame: Frame) -> ArraySlice<UInt8> { buffer[frame.payload] }

  /// Adds the payload of the last frame that was read to `member`.
  borrowing func append(
    _ frame: Frame, to member: inout GrowingBuffer
  ) throws(FileError) {
    let result = buffer.withUnsafeBytes { bytes -> Result<Void, FileError> in
      do throws(FileError) {
        return .success(try member.append(UnsafeRawBufferPointer(rebasing: bytes[frame.payload])))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  borrowing func wrongAnswer(_ what: String) -> ArchiveError {
    ArchiveError(.wrongAnswer(what), in: archive)
  }

  /// Makes sure that `count` bytes lie from ``start`` on.
  private mutating func fill(_ count: Int) throws(ArchiveError) {
    guard end - start < count else { return }
    buffer.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    (start, end) = (0, end - start)
    while end < count {
      do throws(SandboxedChild.Failure) {
        end += try child.read(into: &buffer, from: end)
      } catch {
        switch error {
        case .late: throw ArchiveError(.limit("seconds", seconds), in: archive)
        case .ended(let how): throw ArchiveError(.unpackerDied(how), in: archive)
        }
      }
    }
  }
}
