internal import CrashModel
internal import Identifiers

/// An address in an image's code that a report names.
struct ImageAddress: Hashable {
  /// From the image's load address, as the report gives it.
  let offset: ImageOffset
  let position: CodePosition
}
