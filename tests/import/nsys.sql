-- A database of Nsight Systems by its public schema: each table that fxtop reads, in some form.
create table StringIds(id integer primary key, value text not null);
insert into StringIds values (1, 'gemm'), (2, 'cudaLaunchKernel'), (3, 'main'), (4, 'step'), (5, 'read'),
 (6, 'work'), (7, '/usr/lib/libc.so.6'), (8, 'void gemm<float>(int)'), (9, 'MPI_Send'), (10, 'cudaGraphLaunch');
create table TARGET_INFO_SESSION_START_TIME(utcEpochNs integer);
insert into TARGET_INFO_SESSION_START_TIME values (1700000000000000000);
create table PROCESSES(globalPid integer, pid integer, name text);
insert into PROCESSES values (300 << 24, 300, '/usr/bin/train'), (null, 400, 'other');
create table ThreadNames(nameId integer, priority integer, globalTid integer);
insert into ThreadNames values (3, 0, 300 << 24 | 301);
create table NVTX_EVENTS(start integer, end integer, eventType integer, rangeId integer, category integer, text text,
 globalTid integer, domainId integer, textId integer);
insert into NVTX_EVENTS values
 (1000, 4000, 59, 0, null, null, 300 << 24 | 301, 0, 4),
 (1000, null, 59, 0, null, 'never popped', 300 << 24 | 302, 0, null),
 (1100, 1900, 60, 77, 5, 'range', 300 << 24 | 301, 2, null),
 (1200, null, 60, 78, 6, 'open range', 300 << 24 | 301, 2, null),
 (3500, null, 34, 0, null, 'mark', 300 << 24 | 301, 0, null),
 (100, null, 75, 0, null, 'my domain', 300 << 24 | 301, 2, null),
 (100, null, 33, 0, 5, 'my category', 300 << 24 | 301, 2, null),
 (100, null, 99, 0, null, 'unknown', 300 << 24 | 301, 0, null);
create table OSRT_API(start integer, end integer, globalTid integer, nameId integer, returnValue integer);
insert into OSRT_API values (1500, 1800, 300 << 24 | 301, 5, 42);
create table CUPTI_ACTIVITY_KIND_RUNTIME(start integer, end integer, eventClass integer, globalTid integer,
 correlationId integer, nameId integer, returnValue integer);
insert into CUPTI_ACTIVITY_KIND_RUNTIME values (2000, 3000, 0, 300 << 24 | 301, 11, 2, 0),
 (3100, 3200, 0, 300 << 24 | 301, 12, 10, 0), (3300, 3350, 0, 300 << 24 | 302, 13, 99, 1);
create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start integer, end integer, correlationId integer, globalPid integer,
 deviceId integer, streamId integer, syncType integer);
insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values (3310, 3340, 13, 300 << 24, 0, 7, 2),
 (3400, 3440, 99, 300 << 24, 0, 7, 3);
create table CUBLAS_EVENTS(start integer, end integer, globalTid integer, nameId integer);
insert into CUBLAS_EVENTS values (1900, 3050, 300 << 24 | 301, 1);
create table MPI_P2P_EVENTS(start integer, end integer, globalTid integer, textId integer, nameId integer);
insert into MPI_P2P_EVENTS values (200, 300, 400 << 24 | 400, null, 9);
create table CUPTI_ACTIVITY_KIND_KERNEL(start integer, end integer, deviceId integer, contextId integer, streamId integer,
 correlationId integer, globalPid integer, demangledName integer, shortName integer, gridX integer, gridY integer,
 gridZ integer, blockX integer, blockY integer, blockZ integer, registersPerThread integer, graphId integer);
insert into CUPTI_ACTIVITY_KIND_KERNEL values
 (5000, 9000, 0, 1, 7, 11, 300 << 24, 8, 1, 8, 1, 1, 256, 1, 1, 32, null),
 (9100, 9200, 0, 1, 7, 12, 300 << 24, null, 1, 1, 2, 3, 4, 5, 6, 16, 5),
 (9300, 9400, 1, 1, 7, 12, 300 << 24, 1, 1, 1, 2, 3, 4, 5, 6, 16, 5),
 (9300, 9250, 0, 2, 7, 12, 400 << 24, 1, 1, 1, 2, 3, 4, 5, 6, 16, null);
create table CUPTI_ACTIVITY_KIND_MEMCPY(start integer, end integer, deviceId integer, contextId integer, streamId integer,
 correlationId integer, globalPid integer, bytes integer, copyKind integer);
insert into CUPTI_ACTIVITY_KIND_MEMCPY values (4100, 4200, 0, 1, 8, 0, 300 << 24, 4096, 1),
 (9500, 9600, 0, 1, 8, 0, 300 << 24, 4096, 2), (9700, 9800, 0, 1, 8, 0, 300 << 24, 1, 10), (9900, 9950, 0, 1, 8, 0, 300 << 24, 1, 4);
create table CUPTI_ACTIVITY_KIND_MEMSET(start integer, end integer, deviceId integer, contextId integer, streamId integer,
 correlationId integer, globalPid integer, bytes integer, value integer);
insert into CUPTI_ACTIVITY_KIND_MEMSET values (4300, 4400, 0, 1, 8, 11, 300 << 24, 64, 0);
create table CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start integer, end integer, deviceId integer, contextId integer,
 streamId integer, correlationId integer, globalPid integer, graphId integer);
insert into CUPTI_ACTIVITY_KIND_GRAPH_TRACE values (9990, 9999, 0, 1, 9, 12, 300 << 24, 5);
create table TARGET_INFO_GPU_METRICS(typeId integer, sourceId integer, metricId integer, metricName text);
insert into TARGET_INFO_GPU_METRICS values (256, 0, 1, 'SM Active [Throughput %]');
create table GPU_METRICS(timestamp integer, typeId integer, metricId integer, value integer);
insert into GPU_METRICS values (2000, 256, 1, 40), (4000, 256, 1, 95), (4000, 257, 9, 1);
create table CUDA_GPU_MEMORY_USAGE_EVENTS(start integer, globalPid integer, deviceId integer, memKind integer,
 memoryOperationType integer, bytes integer);
insert into CUDA_GPU_MEMORY_USAGE_EVENTS values (6000, 300 << 24, 0, 2, 1, 100), (2500, 300 << 24, 0, 2, 0, 1000);
create table SCHED_EVENTS(start integer, cpu integer, isSchedIn integer, globalTid integer);
insert into SCHED_EVENTS values (900, 3, 1, 300 << 24 | 301), (1600, 3, 0, 300 << 24 | 301), (1600, 3, 1, 300 << 24 | 302),
 (1700, 3, 0, 300 << 24 | 302);
create table COMPOSITE_EVENTS(id integer primary key, start integer, cpu integer, globalTid integer);
insert into COMPOSITE_EVENTS values (1, 1050, 3, 300 << 24 | 301), (3, 3050, 3, 300 << 24 | 301), (2, 2050, 3, 300 << 24 | 301);
create table SAMPLING_CALLCHAINS(id integer, symbol integer, module integer, unresolved integer, originalIP integer,
 stackDepth integer, primary key (id, stackDepth));
insert into SAMPLING_CALLCHAINS values (1, 6, 7, null, 1, 0), (1, 3, null, null, 2, 1), (2, 3, null, null, 3, 0),
 (3, null, 7, 1, 4, 0), (3, null, null, null, 255, 1), (3, 3, null, null, 6, 2);
create table DX12_API(start integer, end integer, globalTid integer);
insert into DX12_API values (1, 2, 3);
create table ENUM_NSYS_EVENT_TYPE(id integer, name text);
insert into ENUM_NSYS_EVENT_TYPE values (33, 'NvtxCategory');
