public import Bytes
internal import Files

extension InputWalker {
  /// Hands over `bytes`, or its members if it is an archive.
  ///
  /// - Parameters:
  ///   - name: The source of the bytes, for display.
  ///   - ordinal: As ``InputFile/ordinal``.
  ///   - progress: Called repeatedly while a large member of an archive is unpacked.
  public func read(
    _ bytes: ByteView, named name: String, ordinal: Int, progress: () -> Void = {},
    body: (InputFile) -> InputStep
  ) -> InputStep {
    // A large dump is read in place: a file in memory would hold it twice.
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
