/// Keeps what the frames of one report refer to without counting references, while its signature is made.
///
/// Most is in ``KnownFrames``, which is kept as a whole.
final class KeptParts {
  private var parts: [AnyObject] = []

  func keep<Part: AnyObject>(_ part: Part) -> Part {
    parts.append(part)
    return part
  }
}
