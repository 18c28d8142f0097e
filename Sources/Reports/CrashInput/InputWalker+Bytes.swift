internal import Files
public import Bytes

extension InputWalker {
  /// Hands over what `bytes` are: themselves, or the members of the archive that they are.
  ///
  /// - Parameters:
  ///   - name: Where they came from, as a person would say it.
  ///   - ordinal: As ``InputFile/ordinal``.
  ///   - progress: Called now and then while a large member of an archive is unpacked.
  public func read(
    _ bytes: ByteView, named name: String, ordinal: Int, progress: () -> Void = {},
    body: (InputFile) -> InputStep
  ) -> InputStep {
    // A large dump is looked at where it is: in a file in memory it would be there twice.
    if bytes.count > min(limits.mappedBytes, limits.fileBytes), FileMagic(of: bytes)?.isDump == true
    {
      let content: Result<ByteView, InputError> =
        bytes.count <= limits.dumpBytes
        ? .success(bytes) : .failure(.tooLarge(limit: limits.dumpBytes, size: bytes.count))
      return body(InputFile(path: name, content: content, ordinal: ordinal, companion: nil))
    }
    do throws(FileError) {
      let file = try OpenFile.holding(bytes, name: name)
      return read(
        file.number, named: name, ordinal: ordinal, companion: nil, progress: progress, body: body)
    } catch {
      return body(
        InputFile(path: name, content: .failure(.file(error)), ordinal: ordinal, companion: nil))
    }
  }
}
