internal import Bytes
internal import TestSupport

/// One crash report of a ``SyntheticData``, as an `.ips` file.
struct ReportGenerator {
  struct Signal: Sendable {
    let type: String
    let name: String
    let codes: String
    let subtype: String?
  }

  static let signals = [
    Signal(
      type: "EXC_BAD_ACCESS", name: "SIGSEGV", codes: "0x0000000000000001, 0x0000000000000018",
      subtype: "KERN_INVALID_ADDRESS at 0x0000000000000018"),
    Signal(
      type: "EXC_BREAKPOINT", name: "SIGTRAP", codes: "0x0000000000000001, 0x00000001048f2a10",
      subtype: nil),
    Signal(
      type: "EXC_CRASH", name: "SIGABRT", codes: "0x0000000000000000, 0x0000000000000000",
      subtype: nil),
    Signal(
      type: "EXC_BAD_ACCESS", name: "SIGBUS", codes: "0x0000000000000002, 0x000000016f1a3ff0",
      subtype: "KERN_PROTECTION_FAILURE at 0x000000016f1a3ff0"),
  ]

  /// The frames on top of the app's functions: none, or the ways in which the system dies.
  static let tops: [[(image: Int, function: String)]] = [
    [],
    [(1, "swift_unknownObjectRetain"), (2, "-[__NSCFString hasPrefix:]")],
    [(1, "objc_msgSend")],
    [(3, "__pthread_kill"), (4, "pthread_kill"), (5, "abort")],
    [(1, "_swift_runtime_on_report"), (1, "swift::fatalError(unsigned int, char const*, ...)")],
  ]

  private static let topFrames = tops.map { $0.map { frame($0.function, $0.image) } }

  private static let bottoms: [[(image: Int, function: String)]] = [
    [
      (6, "-[UIApplication sendAction:to:from:forEvent:]"), (6, "-[UIControl sendAction:to:]"),
      (6, "-[UIWindow sendEvent:]"), (6, "__eventFetcherSourceCallback"),
      (2, "__CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__"), (2, "__CFRunLoopRun"),
      (2, "CFRunLoopRunSpecific"), (7, "GSEventRunModal"), (6, "-[UIApplication _run]"),
      (6, "UIApplicationMain"), (8, "start"),
    ],
    [
      (9, "_dispatch_call_block_and_release"), (9, "_dispatch_client_callout"),
      (9, "_dispatch_lane_serial_drain"), (9, "_dispatch_lane_invoke"),
      (9, "_dispatch_root_queue_drain_deferred_wlh"), (9, "_dispatch_workloop_worker_thread"),
      (4, "_pthread_wqthread"), (4, "start_wqthread"),
    ],
  ]

  private static let bottomFrames = bottoms.map { $0.map { frame($0.function, $0.image) } }

  /// An idle thread.
  private static let idleFrames = [
    frame("__workq_kernreturn", 3), frame("_pthread_wqthread", 4), frame("start_wqthread", 4),
  ].joined(separator: ",")

  private static let systemImages = [
    ("libswiftCore.dylib", "/usr/lib/swift/libswiftCore.dylib"),
    ("CoreFoundation", "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation"),
    ("libsystem_kernel.dylib", "/usr/lib/system/libsystem_kernel.dylib"),
    ("libsystem_pthread.dylib", "/usr/lib/system/libsystem_pthread.dylib"),
    ("libsystem_c.dylib", "/usr/lib/system/libsystem_c.dylib"),
    ("UIKitCore", "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"),
    (
      "GraphicsServices",
      "/System/Library/PrivateFrameworks/GraphicsServices.framework/GraphicsServices"
    ),
    ("dyld", "/usr/lib/dyld"),
    ("libdispatch.dylib", "/usr/lib/system/libdispatch.dylib"),
  ]

  private static let devices = [
    "iPhone12,1", "iPhone12,8", "iPhone13,2", "iPhone13,4", "iPhone14,2", "iPhone14,5",
    "iPhone14,7", "iPhone15,2", "iPhone15,3", "iPhone15,4", "iPhone16,1", "iPhone16,2",
    "iPhone17,1", "iPhone17,3", "iPad11,6", "iPad12,1", "iPad13,1", "iPad13,18", "iPad14,3",
  ]

  private static let systems = [
    ("16.7.10", "20H350"), ("17.4.1", "21E236"), ("17.5.1", "21F90"), ("17.6.1", "21G93"),
    ("18.0.1", "22A3370"), ("18.1.1", "22B91"), ("18.2", "22C152"), ("18.3", "22D63"),
  ]

  /// The images of each system, as appended to the list in a report.
  private static let imageLists = systems.map { system, _ in
    systemImages.enumerated().map { index, image in
      ",{\"source\":\"P\",\"arch\":\"arm64e\",\"base\":"
        + "\(6_700_000_000 + index * 0x40_0000),\"size\":2097152,\"uuid\":"
        + "\"\(uuid(of: index, system))\",\"path\":\"\(image.1)\",\"name\":\"\(image.0)\"}"
    }.joined()
  }

  private static let messages = [
    "Index out of range", "Unexpectedly found nil while unwrapping an Optional value",
    "Division by zero", "Not enough bits to represent the passed value",
  ]

  /// Returns the report with this number. Reports arrive in the order of their days.
  static func text(_ number: Int, of total: Int, in world: SyntheticData) -> [UInt8] {
    var random = SplitMix(seed: UInt64(number) &* 0x2545_f491_4f6c_dd1d &+ 7)
    var share = random.below(12)
    let app = world.apps[
      SyntheticData.shares.firstIndex { part in
        share -= part
        return share < 0
      } ?? 0]
    let day = number * SyntheticData.days / max(total, 1)
    // Users run the newest release of the day, or one up to four releases older.
    let newest = min(app.releases.count - 1, 2 + day * app.releases.count / SyntheticData.days)
    let behind = [0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4][random.below(11)]
    let current = max(0, newest - behind)
    var bug = app.bugs[draw(app.weights, &random)]
    var tries = 0
    while !bug.life.contains(current) && tries < 8 {
      bug = app.bugs[draw(app.weights, &random)]
      tries += 1
    }
    let release = app.releases[min(max(current, bug.life.lowerBound), bug.life.upperBound)]
    return ReportGenerator(app: app, release: release, bug: bug, day: day).ips(&random)
  }

  private let app: SyntheticData.App
  private let release: SyntheticData.Release
  private let bug: SyntheticData.Bug
  private let day: Int

  private static func draw(_ weights: [Int], _ random: inout SplitMix) -> Int {
    let wanted = random.below(weights.last ?? 1)
    return weights.dropLast().lowerBound { $0 <= wanted }
  }

  private func ips(_ random: inout SplitMix) -> [UInt8] {
    let systemNumber = random.below(Self.systems.count)
    let (system, build) = Self.systems[systemNumber]
    let device = Self.devices[random.below(Self.devices.count)]
    let time = SyntheticData.firstDay + day * 86_400 + random.below(86_400)
    let stamp = Self.stamp(time)
    let incident = random.uuid().uppercased()
    let install = SplitMix.install(random.below(SyntheticData.installs))
    let way = bug.ways[random.below(bug.ways.count)]
    let signal = Self.signals[bug.signal]
    var frames = Self.topFrames[bug.top]
    frames += way.map { function in
      "{\"imageOffset\":\(function.offset),\"symbol\":\"\(function.function)\",\"symbolLocation\":"
        + "\(function.line % 60 * 4),\"imageIndex\":0,\"sourceFile\":"
        + "\"\(function.file)\",\"sourceLine\":\(function.line)}"
    }
    frames += Self.bottomFrames[way.count % 2]
    let others = (0..<3).map { _ in
      "{\"id\":\(1_000 + random.below(90_000)),\"frames\":[\(Self.idleFrames)]}"
    }
    var text = "{\"app_name\":\"\(app.name)\",\"timestamp\":\"\(stamp)\",\"app_version\":"
    text += "\"\(release.version)\",\"build_version\":\"\(release.build)\",\"platform\":2,"
    text += "\"bundleID\":\"\(app.identifier)\",\"bug_type\":\"309\",\"os_version\":"
    text += "\"iPhone OS \(system) (\(build))\",\"name\":\"\(app.name)\",\"incident_id\":"
    text += "\"\(incident)\"}\n{\"version\":2,\"modelCode\":\"\(device)\",\"osVersion\":{\"train\":"
    text += "\"iPhone OS \(system)\",\"build\":\"\(build)\",\"releaseType\":\"User\"},"
    text += "\"captureTime\":\"\(stamp)\",\"incident\":\"\(incident)\",\"pid\":"
    text += "\(300 + random.below(9_000)),\"cpuType\":\"ARM-64\",\"bug_type\":\"309\",\"procName\":"
    text += "\"\(app.name)\",\"procPath\":\"/private/var/containers/Bundle/Application/"
    text += "\(app.name).app/\(app.name)\",\"bundleInfo\":{\"CFBundleShortVersionString\":"
    text += "\"\(release.version)\",\"CFBundleVersion\":\"\(release.build)\","
    text += "\"CFBundleIdentifier\":\"\(app.identifier)\"},\"crashReporterKey\":"
    text += "\"\(install)\",\"exception\":{\"codes\":"
    text += "\"\(signal.codes)\",\"type\":\"\(signal.type)\",\"signal\":\"\(signal.name)\""
    if let subtype = signal.subtype { text += ",\"subtype\":\"\(subtype)\"" }
    text += "},"
    if signal.name == "SIGTRAP" {
      let function = way[0]
      text += "\"asi\":{\"libswiftCore.dylib\":[\"\(function.file):\(function.line): Fatal error: "
      text += "\(Self.messages[bug.message % Self.messages.count])\"]},"
    }
    text += "\"faultingThread\":0,\"threads\":[{\"triggered\":true,\"id\":"
    text += "\(1_000 + random.below(90_000)),\"frames\":[\(frames.joined(separator: ","))]},"
    text += others.joined(separator: ",") + "],\"usedImages\":[{\"source\":\"P\",\"arch\":"
    text += "\"arm64\",\"base\":\(release.slide),\"size\":33554432,\"uuid\":"
    text += "\"\(release.uuid)\",\"path\":"
    text += "\"/private/var/containers/Bundle/Application/\(app.name).app/\(app.name)\",\"name\":"
    text += "\"\(app.name)\"}\(Self.imageLists[systemNumber])"
    text += "]}\n"
    return Array(text.utf8)
  }

  private static func frame(_ function: String, _ image: Int) -> String {
    let offset = 0x1000 + function.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xf_ffff }
    return "{\"imageOffset\":\(offset),\"symbol\":\"\(function)\",\"symbolLocation\":"
      + "\(offset % 97 * 4),\"imageIndex\":\(image)}"
  }

  /// Returns the id of an image of the system: another in each version.
  private static func uuid(of image: Int, _ system: String) -> String {
    var random = SplitMix(seed: system.utf8.reduce(UInt64(image)) { $0 &* 131 &+ UInt64($1) })
    return random.uuid()
  }

  /// Returns a time as `2026-03-05 11:50:37.00 +0000`.
  private static func stamp(_ time: Int) -> String {
    // Days to a date, by H. Hinnant's civil_from_days.
    let shifted = time / 86_400 + 719_468
    let era = shifted / 146_097
    let day = shifted - era * 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let (second, date) = (time % 86_400, dayOfYear - (153 * month + 2) / 5 + 1)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let civil = month < 10 ? month + 3 : month - 9
    return "\(year + era * 400 + (civil <= 2 ? 1 : 0))-\(two(civil))-\(two(date)) "
      + "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)).00 +0000"
  }
}

extension SplitMix {
  fileprivate static func install(_ number: Int) -> String {
    var random = SplitMix(seed: UInt64(number) &+ 0x696e_7374)
    return random.uuid()
  }
}
