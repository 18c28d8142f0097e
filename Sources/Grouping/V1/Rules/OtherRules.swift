extension RuleListsV1 {
  /// Functions of an app that only hand on to the next: the walk goes on below them.
  static let extend = RuleListV1(
    name: "extend.rules",
    text: """
      operator new
      operator delete
      # accessors of templates: smart pointers, registries, handles
      *<T>::get
      *<T>::value
      *::operator->
      *::operator*
      *::operator bool
      *::operator[]
      *.Preconditions.*
      *.Validate.*
      *.Asserts.*
      *Exception.from
      *Exception.wrapWithPath
      *Exception.create*
      *Exception.<init>
      *Error.<init>
      *Exception.*
      *._constructError
      *._reportError
      *.unwrap()
      *.withLock(_:)
      *.withExtendedLifetime*
      """)

  /// Helpers through which an app reports errors that it has handled.
  static let handled = RuleListV1(
    name: "handled.rules",
    text: """
      *eportError*
      *ogError*
      *ecordError*
      *aptureError*
      *aptureException*
      *eportException*
      *ogException*
      *ecordException*
      *trackError*
      *TrackError*
      *trackException*
      *TrackException*
      *handleError*
      *HandleError*
      *handleException*
      *HandleException*
      *ogNonFatal*
      *sendError*
      *SentrySDK*
      *rashlytics*
      *ugsnag*
      *ppCenter*
      *notify(error*
      """)

  /// What a main thread does that has nothing to do.
  static let idle = RuleListV1(
    name: "idle.rules",
    text: """
      mach_msg*
      mach_msg_trap
      __CFRunLoopServiceMachPort
      CFRunLoopServiceMachPort
      epoll_wait
      epoll_pwait
      __epoll_pwait
      __epoll_wait
      poll
      __poll
      ppoll
      __ppoll
      select
      kevent
      kevent64
      g_poll
      android::Looper::pollInner
      android::Looper::pollOnce
      android::android_os_MessageQueue_nativePollOnce
      android::NativeMessageQueue::pollOnce
      android.os.MessageQueue.nativePollOnce
      android.os.MessageQueue.next
      MsgWaitForMultipleObjectsEx
      NtUserMsgWaitForMultipleObjectsEx
      NtUserGetMessage
      ZwUserGetMessage
      NtUserWaitMessage
      GetMessage*
      WaitMessage
      uv__io_poll
      """)

  /// Functions that are called when memory could not be had.
  static let memory = RuleListV1(
    name: "memory.rules",
    text: """
      alloc::alloc::handle_alloc_error*
      alloc::raw_vec::handle_error
      std::alloc::rust_oom
      std::alloc::_::__rust_alloc_error_handler
      std::__throw_bad_alloc
      mozalloc_handle_oom
      mozilla::*OnOOM*
      NS_ABORT_OOM
      base::TerminateBecauseOutOfMemory
      base::internal::OnNoMemoryInternal
      base::(anonymous namespace)::OnNoMemory*
      partition_alloc::*OutOfMemory*
      blink::*OutOfMemory*
      WTF::partitionOutOfMemory*
      v8::internal::V8::FatalProcessOutOfMemory
      v8::internal::Heap::FatalProcessOutOfMemory
      v8::Utils::ReportOOMFailure
      node::OOMErrorHandler
      qBadAlloc
      xalloc_die
      _objc_rootAlloc_out_of_memory
      swift_slowAlloc_outOfMemory
      swift::swift_abortAllocationFailure*
      malloc_zone_out_of_memory
      art::ThrowOutOfMemoryError
      art::gc::Heap::ThrowOutOfMemoryError
      java.lang.OutOfMemoryError.<init>
      runtime.throwOutOfMemory
      """)

  /// Whose an image is, by its path; the last line that fits decides.
  static let images = RuleListV1(
    name: "images.rules",
    text: """
      # places of apps
      /opt/*  app
      /app/*  app
      /snap/*  app
      /home/*  app
      /root/*  app
      /srv/*  app
      /tmp/*  app
      /usr/local/*  app
      /Applications/*  app
      /Users/*  app
      */Containers/Bundle/Application/*  app
      */CoreSimulator/Devices/*/Bundle/Application/*  app
      *.app/*  app
      /data/app/*  app
      *base.apk!*  app
      *.apk!*  app
      # places of systems
      /lib/*  system
      /lib32/*  system
      /lib64/*  system
      /libx32/*  system
      /usr/lib/*  system
      # a folder below it belongs to one package (Filesystem Hierarchy Standard 3.0, section 4.6) ...
      /usr/lib/*/*  package
      # ... but for these, which are there for everybody
      /usr/lib/*-linux-*  system
      /usr/lib/*-linux-*/*/*  package
      /usr/lib/*/dri/*  system
      /usr/lib/dri/*  system
      /usr/lib/*/gio/*  system
      /usr/lib/gio/*  system
      /usr/lib/*/gtk-*  system
      /usr/lib/gtk-*  system
      /usr/lib/*/gdk-pixbuf*  system
      /usr/lib/gdk-pixbuf*  system
      /usr/lib/*/gconv/*  system
      /usr/lib/gconv/*  system
      /usr/lib/*/mesa*  system
      /usr/lib/mesa*  system
      /usr/lib/*nvidia*  system
      /usr/lib/*/vdpau/*  system
      /usr/lib/*/qt*/*  system
      /usr/lib/qt*/*  system
      /usr/lib/*/pulseaudio/*  system
      /usr/lib/*/alsa-lib/*  system
      /usr/lib/*/sasl2/*  system
      /usr/lib/*/pkcs11/*  system
      /usr/lib/*/nss/*  system
      /usr/lib/tls/*  system
      /usr/lib/i686/*  system
      /usr/lib/swift/*  system
      /usr/lib/system/*  system
      /usr/lib/*.dylib  system
      /usr/lib/gcc*  system
      /usr/lib/llvm*  system
      /usr/lib/jvm/*  system
      /usr/lib/python*  system
      /usr/lib/perl*  system
      /usr/lib/ruby/*  system
      /usr/lib/systemd/*  system
      /usr/lib/dotnet/*  system
      /usr/lib/mono/*  system
      /usr/lib32/*  system
      /usr/lib64/*  system
      /usr/libexec/*  system
      /snap/core*  system
      /snap/gnome-*  system
      /System/*  system
      /Developer/*  system
      */Library/Developer/CoreSimulator/*/RuntimeRoot/*  system
      /Applications/Xcode*  system
      */Symbols/System/*  system
      *.sdk/System/*  system
      *.sdk/usr/lib/*  system
      *.platform/Developer/*  system
      */RuntimeRoot/System/*  system
      */RuntimeRoot/usr/lib/*  system
      /private/preboot/Cryptexes/*  system
      /Library/Apple/*  system
      /system/*  system
      /apex/*  system
      /vendor/*  system
      /product/*  system
      /system_ext/*  system
      /odm/*  system
      *.oat  system
      *.odex  system
      *.art  system
      *boot*.vdex  system
      /dev/ashmem/dalvik*  system
      /memfd:jit-cache*  system
      ?:\\Windows\\*  system
      ?:\\WINDOWS\\*  system
      ?:\\windows\\*  system
      \\SystemRoot\\*  system
      [vdso]  system
      [vsyscall]  system
      linux-vdso.so*  system
      linux-gate.so*  system
      dyld_shared_cache*  system
      # libraries of a platform, wherever they lie
      libc.so*  platform
      libc-*.so  platform
      libm.so*  platform
      libm-*.so  platform
      libdl.so*  platform
      libdl-*.so  platform
      librt.so*  platform
      librt-*.so  platform
      libpthread.so*  platform
      libpthread-*.so  platform
      libresolv.so*  platform
      libutil.so*  platform
      libanl.so*  platform
      libnss_*  platform
      libcrypt.so*  platform
      ld-linux*  platform
      ld-musl*  platform
      ld-*.so  platform
      ld.so*  platform
      libgcc_s.so*  platform
      libatomic.so*  platform
      libgomp.so*  platform
      libstdc++.so*  platform
      libc++.so*  platform
      libc++abi.so*  platform
      libc++_shared.so  platform
      libunwind.so*  platform
      libasan.so*  platform
      libtsan.so*  platform
      libubsan.so*  platform
      liblsan.so*  platform
      libmsan.so*  platform
      libclang_rt.*  platform
      libswift*.so  platform
      libswift*.dylib  platform
      libFoundation*.so  platform
      lib_Foundation*.so  platform
      libdispatch.so*  platform
      libBlocksRuntime.so*  platform
      libXCTest.so*  platform
      libTesting.so*  platform
      libicu*swift*  platform
      libglib-2.0.so*  platform
      libgobject-2.0.so*  platform
      libgio-2.0.so*  platform
      libgmodule-2.0.so*  platform
      libgthread-2.0.so*  platform
      libgtk-*  platform
      libgdk-*  platform
      libgdk_pixbuf*  platform
      libpango*  platform
      libcairo*  platform
      libatk-*  platform
      libdbus-*  platform
      libX11*  platform
      libxcb*  platform
      libXext.so*  platform
      libXi.so*  platform
      libXrandr.so*  platform
      libICE.so*  platform
      libSM.so*  platform
      libffi.so*  platform
      libpixman-*  platform
      libGL.so*  platform
      libGLX*  platform
      libEGL*  platform
      libGLdispatch*  platform
      libGLcore*  platform
      libnvidia-*  platform
      libdrm*  platform
      *_dri.so  platform
      libvulkan*  platform
      libwayland-*  platform
      libQt5Core.so*  platform
      libQt5Gui.so*  platform
      libQt5Widgets.so*  platform
      libQt6Core.so*  platform
      libQt6Gui.so*  platform
      libQt6Widgets.so*  platform
      libart.so  platform
      libjvm.so  platform
      libandroid_runtime.so  platform
      libhwui.so  platform
      libutils.so  platform
      libbinder.so  platform
      libnativehelper.so  platform
      ntdll.dll  platform
      kernel32.dll  platform
      kernelbase.dll  platform
      user32.dll  platform
      win32u.dll  platform
      gdi32*.dll  platform
      combase.dll  platform
      ole32.dll  platform
      rpcrt4.dll  platform
      ucrtbase*.dll  platform
      vcruntime*.dll  platform
      msvcp*.dll  platform
      msvcr*.dll  platform
      mfc*.dll  platform
      atl*.dll  platform
      clr.dll  platform
      coreclr.dll  platform
      clrjit.dll  platform
      mscorlib*  platform
      system.private.*  platform
      """)

  /// Libraries through which the deaths of a platform go. A function of theirs that has no name says
  /// only how the process died.
  static let runtimes = RuleListV1(
    name: "runtimes.rules",
    text: """
      # sanitizers
      libasan.so
      libtsan.so
      libubsan.so
      liblsan.so
      libhwasan.so
      libmsan.so
      libasan.dylib
      libtsan.dylib
      libubsan.dylib
      libclang_rt.*
      # C, C++ and threads on Linux and Android
      libc.so
      libc-*.so
      libpthread.so
      libpthread-*.so
      ld-musl-*
      libstdc++.so
      libc++.so
      libc++abi.so
      libc++_shared.so
      libgcc_s.so
      libunwind.so
      [vdso]
      linux-vdso.so
      linux-gate.so
      # Apple
      libsystem_*.dylib
      libdyld.dylib
      dyld
      libobjc.A.dylib
      libobjc.dylib
      libc++.dylib
      libc++.1.dylib
      libc++abi.dylib
      libunwind.dylib
      # Swift
      libswiftCore.so
      libswiftCore.dylib
      libswift_Concurrency.so
      libswift_Concurrency.dylib
      # Windows
      ntdll.dll
      kernelbase.dll
      ucrtbase.dll
      ucrtbased.dll
      vcruntime*.dll
      msvcr*.dll
      """)

  /// Texts of runtimes that say what happened but not where: the frames decide.
  static let messages = RuleListV1(
    name: "messages.rules",
    text: """
      # Swift
      Index out of range*
      Index out of bounds*
      Array index is out of range*
      Negative Array index is out of range*
      Array index out of range*
      String index is out of bounds*
      Substring index is out of bounds*
      Can't *
      Cannot *advance past*
      Unexpectedly found nil*
      Division by zero*
      Division by zero in *
      Arithmetic overflow*
      Range requires lowerBound*
      Range out of bounds*
      Not enough bits to represent*
      Negative value is not representable*
      Double value cannot be converted*
      Float value cannot be converted*
      * value cannot be converted to *
      UnsafeMutablePointer.*
      UnsafeBufferPointer *
      Attempted to read an unowned reference*
      Fatal access conflict detected*
      Simultaneous accesses to *
      Swift runtime failure: *
      arithmetic overflow*
      precondition failure*
      unsafelyUnwrapped of nil*
      Could not cast value of type*
      Illegal instruction*
      Bad pointer dereference*
      Aborted*
      Bus error*
      Trap
      Program quit
      Arithmetic/Floating point exception*
      Unexpected end of *
      # C libraries
      abort() called*
      stack smashing detected*
      *** stack smashing detected ***:*
      *** buffer overflow detected ***:*
      buffer overflow detected*
      free():*
      malloc():*
      realloc():*
      calloc():*
      munmap_chunk():*
      mremap_chunk():*
      malloc_consolidate():*
      munmap_chunk()*
      double free or corruption*
      corrupted size vs*
      corrupted double-linked list*
      corrupted unsorted chunks*
      invalid fastbin entry*
      double free detected*
      *** glibc detected ***
      *** Error in *
      *malloc: *** error for object*
      *pointer being freed was not allocated*
      *Heap corruption detected*
      *incorrect checksum for freed object*
      pure virtual method called*
      Pure virtual function called*
      terminate called without*
      terminate called recursively*
      terminate called
      terminating
      terminating due to *
      # kernels and tools
      Exec Format error*
      Segmentation fault*
      Abort trap*
      Trace/BPT trap*
      Illegal instruction: *
      Killed*
      Terminated*
      EXC_*
      KERN_*
      SIGNAL *
      SIG[A-Z]*
      signal SIG*
      exc handler*
      Crashed with *
      0x[0-9]*
      # exceptions of collections
      index <num> beyond bounds*
      *: index <num> beyond bounds*
      *: range {<num>, <num>} out of bounds*
      *: Range or index out of bounds*
      Index: <num>, Size: <num>*
      Index <num> out of bounds*
      """)
}
