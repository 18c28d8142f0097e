import CrashModel
import Identifiers
import Testing

@testable import Grouping

/// Owners of images whose path does not show it.
struct SystemImageTests {
  /// A report of one frame in an image without a path, below `top`.
  private func report(
    _ name: String, path: String? = nil, base: UInt64? = nil, os: String? = nil,
    change: (inout LoadedImage) -> Void = { _ in }
  ) -> CrashReport {
    var report = CrashReport(format: ReportFormat("test"))
    report.process.name = "Tern"
    report.app.name = "Tern"
    report.os.name = os
    report.reason.signal = "SIGSEGV"
    var image = LoadedImage(name: name, path: path, base: base.map { Address($0) })
    change(&image)
    report.images = [image, LoadedImage(name: "Tern")]
    var first = Frame(position: .exact)
    first.image = 0
    first.function = "doSomething"
    var second = Frame(position: .exact)
    second.image = 1
    second.function = "sell"
    report.threads = [CrashThread(index: 0, crashed: true, frames: [first, second])]
    report.crashedThread = 0
    return report
  }

  private func isOwn(_ report: CrashReport) -> Bool? {
    ReportBuilder.signer.marking(report, app: "shop").threads[0].frames[0].inApp
  }

  @Test(
    "A system image is recognised by its name if the report gives no path",
    arguments: [
      "libc.so.6", "libsystem_kernel.dylib", "libsqlite3.0.dylib", "libc++.1.dylib",
      "libdispatch.dylib",
      "CoreFoundation", "UIKitCore", "AppKit", "HIToolbox", "GraphicsServices", "dyld",
      "com.apple.driver.RTBuddy", "libart.so", "libandroid_runtime.so", "app_process64", "linker64",
      "ntdll.dll", "KERNELBASE.dll", "USER32.dll", "d3d11.dll", "SHELL32.dll", "win32kfull.sys",
      "ld-linux-x86-64.so.2", "libsystemd.so.0",
    ])
  func systemByName(name: String) {
    let report = report(name)
    #expect(isOwn(report) == false)
    #expect(ReportBuilder.signer.signature(of: report, app: "Tern").text == "doSomething | sell")
  }

  @Test(
    "An app's own image does not count as the system's",
    arguments: [
      "Tern", "TernKit", "Charts", "Network", "libtern.so", "libtern.dylib", "tern.dll", "tern.exe",
      "libssl.so.1.1", "Foundationless", "MyCoreFoundation",
    ])
  func ownByName(name: String) {
    #expect(isOwn(report(name)) == true)
    #expect(isOwn(report(name, base: 0x1_0400_0000, os: "iOS")) == true)
  }

  @Test("A path takes precedence over a name")
  func ownByPath() {
    let own = report(
      "CoreFoundation",
      path: "/private/var/containers/Bundle/Application/1/Tern.app/Frameworks/CoreFoundation")
    #expect(isOwn(own) == true)
    #expect(isOwn(report("tern.dll", path: #"C:\WINDOWS\SYSTEM32\tern.dll"#)) == false)
    #expect(isOwn(report("shell32.dll", path: #"C:\Program Files\Tern\shell32.dll"#)) == false)
    #expect(
      isOwn(report("libTern.dylib", path: "/private/preboot/Cryptexes/OS/usr/lib/libTern.dylib"))
        == false)
  }

  @Test("A path that hides its folders leaves the name to decide")
  func hiddenPath() {
    #expect(
      isOwn(report("Foundation", path: "/Volumes/VOLUME/*/Foundation.framework/Foundation"))
        == false)
    #expect(isOwn(report("TernKit", path: "/Volumes/VOLUME/*/TernKit.framework/TernKit")) == true)
  }

  @Test(
    "Whatever lies in Apple's shared cache is the system's",
    arguments: [0x1_9a00_0000, 0x7ff8_1234_5000])
  func sharedCache(base: UInt64) {
    #expect(isOwn(report("UnheardOf", base: base, os: "iOS")) == false)
    #expect(isOwn(report("UnheardOf", base: base, os: "macOS")) == false)
    // On other systems these addresses mean nothing.
    #expect(isOwn(report("UnheardOf", base: base, os: "Linux")) == true)
    #expect(isOwn(report("UnheardOf", base: base, os: "Windows")) == true)
    #expect(isOwn(report("Tern", base: base, os: "iOS")) == true)

    var withoutBase = report("UnheardOf", os: "iOS")
    withoutBase.threads[0].frames[0].address = Address(base + 0x123)
    #expect(isOwn(withoutBase) == false)
  }

  @Test("A debug file with lines shows that an image of a system's name is the app's own")
  func debugFile() {
    let lines = report("Combine") { $0.symbols = SymbolStatus(.found, file: "Combine") }
    #expect(isOwn(lines) == true)
    let symbolsOnly = report("Combine") {
      $0.symbols = SymbolStatus(
        .found, file: "Combine", tried: [SymbolCandidate("Combine", .noLineTable)])
    }
    #expect(isOwn(symbolsOnly) == false)
  }
}
