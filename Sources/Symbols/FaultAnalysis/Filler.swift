internal import CrashModel

/// A program that alone writes certain patterns: another program that happens to fill memory with the same
/// byte must not be mistaken for it.
enum Filler {
  case jemalloc, spiderMonkey, windows, apple

  /// Parts of the names of images that contain it. Firefox has both.
  private static let mozilla = [
    "mozglue", "libxul", "xul.dll", "firefox", "thunderbird", "plugin-container",
  ]

  /// Whether a process can contain it, judged by its system and its images.
  func isIn(_ report: CrashReport) -> Bool {
    switch self {
    case .windows: report.os.name == "Windows"
    case .apple:
      ["macOS", "iOS", "iPadOS", "tvOS", "watchOS", "visionOS"].contains(report.os.name ?? "")
    // The C libraries of these systems are built with it.
    case .jemalloc:
      ["FreeBSD", "NetBSD", "Android"].contains(report.os.name ?? "")
        || Self.hasImage(of: ["jemalloc"] + Self.mozilla, in: report)
    case .spiderMonkey: Self.hasImage(of: ["mozjs"] + Self.mozilla, in: report)
    }
  }

  private static func hasImage(of names: [String], in report: CrashReport) -> Bool {
    report.images.contains { image in
      let name = image.name.lowercased()
      return name == "xul" || names.contains { name.contains($0) }
    }
  }
}
