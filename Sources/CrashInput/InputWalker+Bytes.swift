internal import Files
public import Bytes

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
      let file = try OpenFile.holding(bytes, name: name)
      return read(file.number, named: name, ordinal: ordinal, companion: nil, body: body)
    } catch {
      return body(
        InputFile(path: name, content: .failure(.file(error)), ordinal: ordinal, companion: nil))
    }
  }
}
