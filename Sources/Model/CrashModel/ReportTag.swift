/// The name of a fact that only some formats give: `vm.region`, `sdk.name`.
///
/// The list is open: a reader of a new format may define a fact of its own, as a static member here if other
/// code needs it. The value is a text; callers that need a number convert it.
public struct ReportTag: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name in documents, queries and output: `vm.region`.
  public let description: String

  public init(_ name: String) { description = name }

  public static func < (one: ReportTag, other: ReportTag) -> Bool {
    one.description < other.description
  }
}

// MARK: The process and the system

extension ReportTag {
  /// Apple's number for the kind of report: `309`.
  public static let bugType = ReportTag("bug_type")
  /// Apple's name for the platform: `iOS`, `simulator`.
  public static let platform = ReportTag("platform")
  /// The audience of this build of the system: `User`, `Beta`.
  public static let osReleaseType = ReportTag("os.release_type")
  /// The build of Android with its device: `google/sailfish/sailfish:10/QP1A.190711.020/5800535:user/release-keys`.
  public static let osFingerprint = ReportTag("os.fingerprint")
  /// The revision of the device's hardware.
  public static let hardwareRevision = ReportTag("device.revision")
  /// The number of the user under which the process ran.
  public static let processUser = ReportTag("process.user_id")
  /// The level of Android's API: `34`.
  public static let osAPILevel = ReportTag("os.api_level")
  /// Darwin's version line, from a kernel panic.
  public static let kernelVersion = ReportTag("kernel.version")
  /// `Foreground`, `Background`, ...
  public static let processRole = ReportTag("process.role")
  /// The name of the parent process.
  public static let processParent = ReportTag("process.parent")
  /// `true` where an Intel program ran on Apple's ARM.
  public static let processTranslated = ReportTag("process.translated")
  /// The name of the thread that failed, as the SDK gives it.
  public static let threadName = ReportTag("thread.name")
  /// The system's identifier of that thread, or the runtime's.
  public static let threadID = ReportTag("thread.id")
  /// The build of Windows as its own tools name it: `20348.859.amd64fre.fe_release_svc_prod2.220707-1832`.
  public static let osBuildText = ReportTag("os.build_text")
  /// The arguments that the kernel was booted with.
  public static let bootArguments = ReportTag("os.boot_arguments")
  /// The graphics processor and its driver.
  public static let gpu = ReportTag("gpu")
  /// The time that the process spent on processors.
  public static let processorTime = ReportTag("process.cpu_time")
  /// The integrity level of the process on Windows: `low`, `medium`, `high`, `system`.
  public static let processIntegrity = ReportTag("process.integrity")
  /// How many handles or descriptors the process had open.
  public static let processHandles = ReportTag("process.handles")
  /// `true` on a device whose protections were removed.
  public static let jailbreak = ReportTag("jailbreak")
}

extension ReportTag {
  /// The distribution of Linux: `Ubuntu 16.04.3 LTS`.
  public static let distribution = ReportTag("os.distribution")
  /// Its parts: `Ubuntu`, `16.04`, `xenial`.
  public static let distributionID = ReportTag("os.distribution.id")
  public static let distributionRelease = ReportTag("os.distribution.release")
  public static let distributionCodename = ReportTag("os.distribution.codename")
  /// The processor by its numbers: `GenuineIntel family 6 model 13 stepping 8`.
  public static let cpuInfo = ReportTag("cpu.info")
  /// How many processors the machine has.
  public static let cpuCount = ReportTag("cpu.count")
  /// The version of the processor's microcode: `0xde`.
  public static let cpuMicrocode = ReportTag("cpu.microcode")
  /// The number of memory mappings of the process, which Linux limits.
  public static let memoryMappings = ReportTag("memory.mappings")
}

// MARK: The reason

extension ReportTag {
  /// The codes of an exception as printed: `0x1, 0x10`.
  public static let exceptionCodes = ReportTag("exception.codes")
  /// The type of the native exception where a language's exception is the reason.
  public static let exceptionNative = ReportTag("exception.native")
  /// The place where an ignored exception was raised, in the runtime's words.
  public static let exceptionLocation = ReportTag("exception.place")
  /// The source location of the check that failed: `zygote.cc:57`.
  public static let checkLocation = ReportTag("check.location")
  /// The modules of machine code that an interpreter had loaded.
  public static let extensionModules = ReportTag("extension_modules")
  /// The language of a trace, in lower case: `ocaml`.
  public static let language = ReportTag("language")
  /// The version of a language's runtime: `OpenJDK Runtime Environment (17.0.15+6)`.
  public static let runtimeVersion = ReportTag("runtime.version")
  /// The runtime's virtual machine, with its build options.
  public static let runtimeName = ReportTag("runtime.name")
  /// The method that a just-in-time compiler was compiling.
  public static let compileTask = ReportTag("compile_task")
  /// The state of a runtime when it ended: `initialized`.
  public static let runtimeState = ReportTag("runtime.state")
  /// The memory region of the faulting address, in the reporter's words.
  public static let vmRegion = ReportTag("vm.region")
  /// The part of the system that ended the process: `SIGNAL`, `FRONTBOARD`, `JETSAM`.
  public static let terminationNamespace = ReportTag("termination.namespace")
  /// The code given by that part, in hexadecimal: `0x8badf00d`.
  public static let terminationCode = ReportTag("termination.code")
  /// Why it ended the process.
  public static let terminationReason = ReportTag("termination.reason")
  /// The process that requested it.
  public static let terminationBy = ReportTag("termination.by")
  /// The process that used most memory when the system ran out of it.
  public static let jetsamLargestProcess = ReportTag("jetsam.largest_process")
  /// The flags of a kernel panic.
  public static let panicFlags = ReportTag("panic.flags")
  /// The task that ran when the kernel panicked.
  public static let panicTask = ReportTag("panic.task")
  /// The reporter's title of the bug: `KASAN: use-after-free Read in tern_close`.
  public static let title = ReportTag("title")
  /// The function that a kernel's report is about, as it appears in the stack.
  public static let kernelFunction = ReportTag("kernel.function")
  /// The text of the panic with which a kernel ended after the report.
  public static let panic = ReportTag("panic")
  /// The flags of a kernel that runs foreign modules or has failed before: `G W OE`.
  public static let kernelTainted = ReportTag("kernel.tainted")
  /// The modules that the kernel had loaded.
  public static let kernelModules = ReportTag("kernel.modules")
  /// The queue and the function of the work that a kernel's thread did.
  public static let workqueue = ReportTag("workqueue")
  /// The bytes of the code around the failed instruction, which is marked.
  public static let code = ReportTag("code")
  /// The panic of macOS that the chip beside the processor reports.
  public static let macOSPanic = ReportTag("macos_panic")
  /// The Objective-C selector in a register of the crashed thread.
  public static let objcSelector = ReportTag("objc.selector")
  /// The sanitizer that wrote the report: `AddressSanitizer`.
  public static let sanitizer = ReportTag("sanitizer")
  /// The memory access that a sanitizer stopped: `READ of size 4`.
  public static let access = ReportTag("access")
  /// The leak that a sanitizer found: `Direct leak of 16 byte(s) in 1 object(s)`.
  public static let leak = ReportTag("leak")
  /// The cause assumed by the system: `null pointer dereference`.
  public static let cause = ReportTag("cause")
  /// The process that sent the signal, in the system's words: `pid 1, uid 0`.
  public static let signalSender = ReportTag("signal.sender")
  /// The bytes of the allocation that failed, in decimal.
  public static let allocationSize = ReportTag("allocation.size")
  /// The thread that holds the lock that a hanging one waits for, as an index into the report's threads.
  public static let lockHolder = ReportTag("lock.holder")
  /// The runtime's state of the thread that the report is about: `Blocked`.
  public static let threadState = ReportTag("thread.state")
  /// The end of the process's output to standard error.
  public static let lastWords = ReportTag("stderr")
  /// A comment on a dump by a person or a tool.
  public static let comment = ReportTag("comment")
  /// The state of a native crash's minidump: ``CrashReport/awaitedDump``, ``CrashReport/storedDump``,
  /// ``CrashReport/readDump`` or ``CrashReport/unreadableDump``.
  public static let minidump = ReportTag("minidump")
}

// MARK: The app, its SDK and the device

extension ReportTag {
  /// The session in which the crash happened.
  public static let session = ReportTag("session")
  /// The device's clock relative to the server's, where they differ by days: `behind`, `ahead`.
  public static let clock = ReportTag("clock")
  /// The SDK that sent the report: `appcenter.ios`.
  public static let sdkName = ReportTag("sdk.name")
  public static let sdkVersion = ReportTag("sdk.version")
  /// The SDK of the framework around the native one: `appcenter.xamarin`.
  public static let wrapperName = ReportTag("wrapper.name")
  public static let wrapperVersion = ReportTag("wrapper.version")
  /// The runtime of that framework.
  public static let wrapperRuntime = ReportTag("wrapper.runtime")
  /// The label of an update that the app downloaded itself.
  public static let liveUpdateLabel = ReportTag("live_update.label")
  /// The hash of that update.
  public static let liveUpdatePackage = ReportTag("live_update.package")
  /// The id of the build, as the SDK gives it.
  public static let buildID = ReportTag("build_id")
  /// The group of testers to whom the build was distributed.
  public static let distributionGroup = ReportTag("distribution_group")
  /// The region in which the data must stay.
  public static let dataRegion = ReportTag("data_region")
  /// Language and region: `en_US`.
  public static let locale = ReportTag("locale")
  /// Minutes east of UTC.
  public static let timeZoneMinutes = ReportTag("time_zone.minutes")
  /// The size of the screen: `1170x2532`.
  public static let screen = ReportTag("screen")
  public static let deviceMaker = ReportTag("device.maker")
  public static let carrierName = ReportTag("carrier.name")
  public static let carrierCountry = ReportTag("carrier.country")
}

extension ReportTag {
  /// The tags of formats that also have properties of the app. A property with such a name, in any case, is
  /// found only as a property.
  public static let besideProperties: Set<ReportTag> = [
    .bootArguments, .buildID, .carrierCountry, .carrierName, .clock, .comment, .cpuCount, .cpuInfo,
    .cpuMicrocode, .dataRegion, .deviceMaker, .distribution, .distributionCodename,
    .distributionGroup, .distributionID,
    .distributionRelease, .exceptionNative, .gpu,
    .jailbreak,
    .liveUpdateLabel, .liveUpdatePackage, .locale, .memoryMappings, .minidump, .objcSelector,
    .osAPILevel,
    .osBuildText, .processHandles, .processIntegrity, .processParent,
    .processorTime, .screen, .sdkName, .sdkVersion, .session,
    .threadName, .timeZoneMinutes, .wrapperName, .wrapperRuntime, .wrapperVersion,
  ]
}
