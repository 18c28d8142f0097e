internal import Bytes
internal import CrashModel

/// A frame of a text report before the images are known.
struct AppleTextFrame {
  var frame: Frame
  /// Index into the names of the parser; `nil` for `???`.
  var imageName: Int?
  /// The load address that the line itself gives.
  var loadAddress: UInt64?
}

/// A thread of a text report before the images are known.
struct AppleTextThread {
  var thread: CrashThread
  var frames: [AppleTextFrame] = []
}

/// A stack outside the threads before the images are known.
struct AppleTextStack {
  var title: String
  var frames: [AppleTextFrame] = []
}
