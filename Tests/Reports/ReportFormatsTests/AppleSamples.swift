/// Made-up reports in Apple's forms: an app `Tern` with a framework `Gull` on a system of two
/// libraries.
enum AppleSamples {
  static let header =
    #"{"app_name":"Tern","timestamp":"2024-03-05 10:20:31.00 +0200","app_version":"2.4.1","#
    + #""slice_uuid":"11111111-2222-3333-4444-555555555555","build_version":"512","platform":2,"#
    + #""bundleID":"org.example.tern","bug_type":"309","os_version":"iPhone OS 17.2 (21C62)","#
    + #""incident_id":"AAAAAAAA-0000-0000-0000-000000000001","name":"Tern"}"#

  static let body = #"""
    {
      "uptime" : 4200,
      "procRole" : "Foreground",
      "version" : 2,
      "modelCode" : "iPhone15,2",
      "osVersion" : {"isEmbedded":true,"train":"iPhone OS 17.2","releaseType":"User","build":"21C62"},
      "captureTime" : "2024-03-05 10:20:30.1234 +0200",
      "incident" : "AAAAAAAA-0000-0000-0000-000000000001",
      "bug_type" : "309",
      "pid" : 811,
      "cpuType" : "ARM-64",
      "procLaunch" : "2024-03-05 10:20:00.0234 +0200",
      "procName" : "Tern",
      "procPath" : "\/private\/var\/containers\/Tern.app\/Tern",
      "bundleInfo" : {"CFBundleShortVersionString":"2.4.1","CFBundleVersion":"512","CFBundleIdentifier":"org.example.tern"},
      "parentProc" : "launchd",
      "crashReporterKey" : "0123456789abcdef0123456789abcdef01234567",
      "exception" : {"codes":"0x0000000000000001, 0x0000000000000010","rawCodes":[1,16],"type":"EXC_BAD_ACCESS","signal":"SIGSEGV","subtype":"KERN_INVALID_ADDRESS at 0x0000000000000010"},
      "termination" : {"flags":0,"code":11,"namespace":"SIGNAL","indicator":"Segmentation fault: 11","byProc":"exc handler","byPid":811},
      "vmRegionInfo" : "0x10 is not in any region.\n  REGION TYPE",
      "asi" : {"CoreSim":["CoreSimulator 1 - Device: x"],"libswiftCore.dylib":["Tern\/Nest.swift:7: Fatal error: no egg\n"]},
      "faultingThread" : 1,
      "threads" : [{"id":901,"queue":"com.apple.main-thread","frames":[{"imageOffset":64,"symbol":"mach_msg2_trap","symbolLocation":8,"imageIndex":2},{"imageOffset":4660,"imageIndex":0}]},
    {"triggered":true,"id":902,"name":"egg counter","threadState":{"x":[{"value":0},{"value":18446744073709551615}],"flavor":"ARM_THREAD_STATE64","lr":{"value":4294972052},"pc":{"value":4294971968,"matchesCrashFrame":1}},"frames":[{"imageOffset":4672,"sourceFile":"Nest.swift","symbol":"Swift runtime failure: no egg\n","symbolLocation":0,"imageIndex":0,"inline":true},{"imageOffset":4672,"sourceLine":7,"sourceFile":"Nest.swift","symbol":"Nest.hatch()","symbolLocation":32,"imageIndex":0},{"imageOffset":4756,"sourceLine":0,"sourceFile":"<compiler-generated>","symbol":"closure #1 in Nest.count(_:)","symbolLocation":20,"imageIndex":0},{"imageOffset":256,"imageIndex":1},{"imageOffset":74565,"imageIndex":3}]},
    {"id":903}],
      "usedImages" : [{"source":"P","arch":"arm64","base":4294967296,"CFBundleShortVersionString":"2.4.1","CFBundleIdentifier":"org.example.tern","size":65536,"uuid":"11111111-2222-3333-4444-555555555555","path":"\/private\/var\/containers\/Tern.app\/Tern","name":"Tern","CFBundleVersion":"512"},
    {"source":"P","arch":"arm64","base":4295032832,"size":16384,"uuid":"66666666777788889999aaaaaaaaaaaa","path":"\/private\/var\/containers\/Tern.app\/Frameworks\/Gull.framework\/Gull"},
    {"source":"S","arch":"arm64e","base":6442450944,"size":4096,"uuid":"BBBBBBBB-2222-3333-4444-555555555555","path":"\/usr\/lib\/system\/libsystem_kernel.dylib","name":"libsystem_kernel.dylib"},
    {"size":0,"source":"A","base":0,"uuid":"00000000-0000-0000-0000-000000000000"}],
      "lastExceptionBacktrace" : [{"imageOffset":128,"symbol":"objc_exception_throw","symbolLocation":4,"imageIndex":2},{"imageOffset":4700,"imageIndex":0}],
      "vmSummary" : "ReadOnly portion of Libraries: Total=1M"
    }
    """#

  static let ips = header + "\n" + body

  /// A report as iOS up to 14 writes it.
  static let iOSText = """
    Incident Identifier: AAAAAAAA-0000-0000-0000-000000000002
    CrashReporter Key:   0123456789abcdef0123456789abcdef01234567
    Hardware Model:      iPhone12,1
    Process:             Tern [811]
    Path:                /private/var/containers/Tern.app/Tern
    Identifier:          org.example.tern
    Version:             512 (2.4.1)
    Code Type:           ARM-64 (Native)
    Role:                Foreground
    Parent Process:      launchd [1]
    Coalition:           org.example.tern [700]


    Date/Time:           2020-10-14 23:09:20.9645 +0100
    Launch Time:         2020-10-14 23:09:20.4645 +0100
    OS Version:          iPhone OS 14.2 (18B92)
    Release Type:        User
    Report Version:      104

    Exception Type:  EXC_CRASH (SIGABRT)
    Exception Codes: 0x0000000000000000, 0x0000000000000000
    Exception Note:  EXC_CORPSE_NOTIFY
    Triggered by Thread:  0

    Application Specific Information:
    *** Terminating app due to uncaught exception 'TernException', reason: 'the nest isn't there'
    terminating with uncaught exception of type NSException
    abort() called

    Last Exception Backtrace:
    0   CoreFoundation                	0x0000000180002080 __exceptionPreprocess + 220
    1   Tern                          	0x000000010000125c 0x100000000 + 4700

    Thread 0 name:  Dispatch queue: com.apple.main-thread
    Thread 0 Crashed:
    0   libsystem_kernel.dylib        	0x0000000180000040 __pthread_kill + 8
    1   Tern                          	0x0000000100001234 -[Nest count:with:] + 52 (Nest.m:12)
    2   ???                           	0x0000000000000000 0 + 0

    Thread 1 name:  egg counter
    Thread 1:
    0   libsystem_kernel.dylib        	0x0000000180000048 kevent + 8
    1   Tern                          	0x0000000100001300 0x100000000 + 4864

    Thread 2:

    Thread 0 crashed with ARM Thread State (64-bit):
        x0: 0x0000000000000000   x1: 0x00000000ffffffff   x2: 0x0000000000000002
        fp: 0x000000016f000000   lr: 0x0000000100001234
        sp: 0x000000016efff000   pc: 0x0000000180000040 cpsr: 0x40000000
       esr: 0x56000080  Address size fault

    Binary Images:
    0x100000000 - 0x10000ffff Tern arm64  <11111111222233334444555555555555> /private/var/containers/Tern.app/Tern
    0x180000000 - 0x180000fff libsystem_kernel.dylib arm64e  <bbbbbbbb222233334444555555555555> /usr/lib/system/libsystem_kernel.dylib
    0x180002000 - 0x180002fff CoreFoundation arm64e  <cccccccc222233334444555555555555> /System/Library/Frameworks/CoreFoundation.framework/CoreFoundation

    EOF

    """

  /// A report as macOS 10.8 to 11 writes it.
  static let macOSText = """
    Process:               Tern Viewer [4242]
    Path:                  /Applications/Tern Viewer.app/Contents/MacOS/Tern Viewer
    Identifier:            org.example.viewer
    Version:               1.10 (77)
    Code Type:             X86-64 (Native)
    Parent Process:        ??? [1]
    Responsible:           Tern Viewer [4242]
    User ID:               501

    Date/Time:             2018-07-24 14:27:59.448 +0100
    OS Version:            Mac OS X 10.13.6 (17G65)
    Report Version:        12
    Anonymous UUID:        00CC683B-0000-0000-0000-000000000003

    Crashed Thread:        1  Dispatch queue: com.apple.root.default-qos

    Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
    Exception Codes:       KERN_PROTECTION_FAILURE at 0x0000000000000018
    Exception Note:        EXC_CORPSE_NOTIFY

    Termination Signal:    Segmentation fault: 11
    Termination Reason:    Namespace SIGNAL, Code 0xb
    Terminating Process:   exc handler [0]

    Application Specific Information:
    Crashing on exception: the tern has flown

    Application Specific Backtrace 1:
    0   CoreFoundation                      0x00007fff42e8a32b __exceptionPreprocess + 171
    1   Tern Viewer                         0x0000000100000f00 main + 16

    Thread 0:: Dispatch queue: com.apple.main-thread
    0   libsystem_kernel.dylib        	0x00007fff70000010 mach_msg_trap + 10
    1   com.apple.CoreFoundation      	0x00007fff42e8b000 CFRunLoopRun + 99

    Thread 1 Crashed:: feather sorter  Dispatch queue: com.apple.root.default-qos
    0   org.example.viewer            	0x0000000100000a10 static Sorter.main() + 24 [inlined]
    1   org.example.viewer            	0x0000000100000a10 sort(_:by:) + 32
    2   org.example.viewer            	0x0000000100000b00 operator+(A const&, B const&) + 5

    Thread 1 crashed with X86 Thread State (64-bit):
      rax: 0x0000000000000000  rbx: 0x00007fffad180380
      rip: 0x0000000100000a10  rfl: 0x0000000000000206  cr2: 0x0000000000000018
      
    Logical CPU:     2
    Error Code:      0x00000004
    Trap Number:     14

    Binary Images:
           0x100000000 -        0x100000fff +org.example.viewer (1.10 - 77) <11111111-AAAA-3333-4444-555555555555> /Applications/Tern Viewer.app/Contents/MacOS/Tern Viewer
        0x7fff42e8a000 -     0x7fff42e8ffff  com.apple.CoreFoundation (6.9 - 1452.23) <22222222-AAAA-3333-4444-555555555555> /System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation
        0x7fff70000000 -     0x7fff70000fff  libsystem_kernel.dylib (4570.71.2) <33333333-AAAA-3333-4444-555555555555> /usr/lib/system/libsystem_kernel.dylib

    External Modification Summary:
      Calls made by other processes targeting this process:
        task_for_pid: 0

    Model: iMac15,1, BootROM IM151.0217.B00, 4 processors

    """
}
