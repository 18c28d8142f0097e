internal import CrashModel

/// Whose patterns are in memory, if it can be nobody else: a program that fills memory with the same byte by itself
/// must not be taken for it.
enum Filler {
  case jemalloc, spiderMonkey, windows, apple

  /// Parts of names of images that have it in them. Firefox has both.
  private static let mozilla = [
    "mozglue", "libxul", "xul.dll", "firefox", "thunderbird", "plugin-container",
  ]

  /// Whether a process can have it, by its system and its images.
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
