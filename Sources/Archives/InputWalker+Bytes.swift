public import Bytes
internal import CSandbox
internal import Glibc

extension InputWalker {
  /// Hands over what `bytes` are: themselves, or the members of the archive that they are.
  ///
  /// - Parameters:
  ///   - name: Where they came from, as a person would say it.
  ///   - ordinal: As ``InputFile/ordinal``.
  public func read(
    _ bytes: ByteView, named name: String, ordinal: Int, body: (InputFile) -> InputStep
  ) -> InputStep {
    do throws(FileError) {
      let descriptor = try Self.memoryFile(of: bytes, name: name)
      defer { close(descriptor) }
      return read(descriptor, named: name, ordinal: ordinal, companion: nil, body: body)
    } catch {
      return body(
        InputFile(path: name, content: .failure(.file(error)), ordinal: ordinal, companion: nil))
    }
  }

  /// A file without a name, in memory.
  private static func memoryFile(of bytes: ByteView, name: String) throws(FileError) -> Int32 {
    let descriptor = sandbox_memory_file("mayday")
    guard descriptor >= 0 else { throw FileError("open", path: name) }
    do throws(FileError) {
      try bytes.write(to: descriptor, named: name)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("rewind", path: name) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
