/** What a thread of the pool runs. */
import { TASKS } from './tasks.ts';
import { doTasks } from './thread.ts';

doTasks(TASKS);
