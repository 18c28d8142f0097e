import CrashModel
import Pipeline
import TestSupport
import Testing

@Suite("Names of apps without a given name") struct AppNameTests {
  private func report(
    name: String? = nil, process: String? = nil, path: String? = nil, images: [String] = [],
    identifier: String? = nil
  ) -> String {
    var report = CrashReport(format: .sanitizer)
    report.app = AppIdentity(name: name, identifier: identifier)
    report.process = ProcessDetails(name: process, path: path)
    report.images = images.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return LoadedImage(name: name, path: path.contains("/") ? path : nil)
    }
    return report.appName
  }

  @Test(
    "The name of the executable, without versions, configuration and ending",
    arguments: [
      ("tern-1.0.0-gcc-address-O0", "tern"), ("Tern.exe", "Tern"), ("Tern.EXE", "Tern"),
      ("tern-desk-debug", "tern-desk"), ("tern_release", "tern"), ("Tern 2.1", "Tern"),
      ("tern-v1.2", "tern"), ("tern-desk", "tern-desk"), ("C:\\Tern\\Tern.exe", "Tern"),
      ("python3.11", "python3.11"), ("7zip-22", "7zip-22"), ("mp3-2go", "mp3-2go"),
      ("1.0", "1.0"), ("debug", "debug"), ("my.sort", "my.sort"), ("Größe", "Größe"),
    ])
  func executable(file: String, app: String) {
    #expect(report(process: file) == app)
    #expect(report(name: file) == app)
  }

  @Test(
    "Neither a library nor a mark for a missing name",
    arguments: [
      "KERNEL32.DLL", "libc.so.6", "libc.so", "libc++abi.dylib", "linux-gate.so.1", "[vdso]",
      "dyld",
      "ld-linux-x86-64.so.2", "libclang_rt.asan.so", "chrome_child.dll", "???", "?", "<unknown>",
      "(null)", "- -",
    ])
  func nameless(file: String) {
    #expect(report(name: file, process: file, path: file, images: ["/lib/\(file)"]) == "unknown")
    #expect(report(name: file, identifier: "org.example.tern") == "org.example.tern")
    #expect(report(name: file, path: "/opt/tern/tern") == "tern")
  }

  @Test("Systems truncate names: an image or the path completes them")
  func cutNames() {
    #expect(
      report(process: "shop-swift-debu", images: ["/opt/shop/shop-swift-debug"]) == "shop-swift")
    #expect(
      report(process: "HockeySDK-iOSDem", path: "/a/HockeySDK-iOSDemo") == "HockeySDK-iOSDemo")
    #expect(report(process: "tern", images: ["/opt/tern/ternary"]) == "tern")
  }

  @Test("The executable among the images, if nothing else names the app")
  func images() {
    #expect(report(images: ["/lib/libc.so.6", "/opt/tern/tern-1.0.0"]) == "tern")
    #expect(
      report(images: ["/System/Library/Frameworks/UIKit.framework/UIKit", "libfoo.so"]) == "unknown"
    )
    #expect(report(images: ["tern"]) == "unknown")
  }

  @Test("The samples are of as many apps as there are")
  func samples() throws {
    let processor = Samples.processor()
    var apps: Set<String> = []
    for sample in Samples.all {
      for report in try processor.process(Samples.view(sample)) { apps.insert(report.app) }
    }
    // The app by its names on Apple's systems and Windows, as a tool, in Swift, and on Android.
    var expected: Set = ["Tern", "tern", "tern-desk", "org.example.tern", "app.example.tern"]
    // In other languages, by the program or the package; and others whose cores show one thing.
    expected.formUnion(["example.tern", "com.example.tern.Tern", "shop.tern.till", "till.js"])
    expected.formUnion(["quay", "buoy", "gull"])
    expected.formUnion(["skiff-asan", "skiff-core", "skiff-fixed", "skiff-pie"])
    expected.formUnion(["skiff", "Skiff", "app.example.skiff", "skiff-mingw", "skiff-pdb"])
    // Apps of which a report only names the program that ran it, or not even that.
    expected.formUnion(["lua5.4", "node", "bun", "unknown"])
    // Modules and builds of other engines.
    expected.formUnion(["till", "till.wasm", "tern.x86_64"])
    // Systems whose kernels panicked; an Android app that shortened its names, and a trusted one.
    expected.formUnion(["Linux", "FreeBSD", "NetBSD", "OpenBSD", "Fuchsia"])
    expected.formUnion(["app.tern.desk", "tern.keys"])
    #expect(apps == expected)
  }
}
