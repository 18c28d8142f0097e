internal import Bytes
internal import CrashModel

/// The images of a report with Java code, compiled or interpreted.
///
/// Computed once for a report: frames are checked by the index of their image.
struct JavaImages {
  private var indices: Set<Int> = []

  init(_ images: [LoadedImage]) {
    for (index, image) in images.enumerated() where Self.isJava(image) { indices.insert(index) }
  }

  func contains(_ index: Int?) -> Bool {
    guard let index, !indices.isEmpty else { return false }
    return indices.contains(index)
  }

  /// `base.odex`, `base.apk!classes.dex`, `/memfd:jit-cache`, `[anon:dalvik-jit-code-cache]`.
  private static func isJava(_ image: LoadedImage) -> Bool {
    let name = image.path ?? image.name
    return [".odex", ".oat", ".vdex", ".dex", ".jar", ".art"].contains(where: name.hasSuffix)
      || name.containsBytes(of: "jit-code-cache") || name.containsBytes(of: "jit-cache")
      || name.containsBytes(of: "dalvik-DEX") || name.containsBytes(of: "dalvik-classes")
  }
}
